import type { OpenapiHooks } from '../openapi';

const text = { type: ['string', 'null'] };
const percent = { type: 'number', minimum: 0, maximum: 100 };
const fileInfo = {
  type: 'object',
  properties: {
    name: text,
    alternativeText: text,
    caption: text,
    focalPoint: { type: ['object', 'null'], required: ['x', 'y'], properties: { x: percent, y: percent } },
  },
};

const form = {
  type: 'object',
  properties: {
    files: {
      type: 'array',
      items: { type: 'string', contentMediaType: 'application/octet-stream' },
      description: 'New files, or the one that takes the place of another.',
    },
    fileInfo: {
      anyOf: [fileInfo, { type: 'array', items: fileInfo }],
      description: 'What is said of the file, or of each of several in their order.',
    },
    ref: { type: 'string', description: 'With `refId` and `field`: the type of a document that the files belong to.' },
    refId: { type: 'string', pattern: '^[0-9]{1,9}$', description: 'The `id` that the document shows.' },
    field: { type: 'string', description: 'Its media attribute.' },
  },
};

/** Tells the description of the API what the route of new files takes: nothing else that is described takes a form. */
export function describeForm(hooks: OpenapiHooks, path: () => string): void {
  hooks.describe.tap('upload', ({ operation, schema }) => {
    schema('UploadForm', form);
    operation('POST', path(), {
      summary: 'Upload files, or replace one or change what is said of it',
      parameters: [
        {
          name: 'id',
          in: 'query',
          description: 'The file to replace or to change; without it, files are added.',
          schema: { type: 'integer' },
        },
      ],
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: { $ref: '#/components/schemas/UploadForm' },
            encoding: { fileInfo: { contentType: 'application/json' } },
          },
          'application/json': {
            schema: {
              type: 'object',
              description: 'Changes what is said of a file: it brings none.',
              properties: { fileInfo },
            },
          },
        },
      },
    });
  });
}
