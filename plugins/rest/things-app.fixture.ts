import { type RestApp, restApp, schema, schemaFile } from './rest-app.fixture';

// For tests: an application of things, which are gone before each test, and a setting.

const files = {
  [schemaFile('thing')]: schema('thing', {
    name: { type: 'string', required: true, maxLength: 20 },
    sku: { type: 'string', unique: true },
    price: { type: 'decimal' },
    stock: { type: 'integer', min: 0 },
    views: { type: 'biginteger' },
    released: { type: 'date' },
    extra: { type: 'json' },
    note: { type: 'string', private: true },
    pin: { type: 'password' },
    cover: { type: 'media' },
    friend: { type: 'relation', relation: 'manyToOne', target: 'api::thing.thing' },
  }),
  [schemaFile('setting')]: schema(
    'setting',
    { title: { type: 'string', required: true }, size: { type: 'integer' } },
    { kind: 'singleType' },
  ),
};

export const things = '/api/things';

export const error = (status: number, name: string, message: string, details?: unknown) => ({
  data: null,
  error: { status, name, message, ...(details !== undefined && { details }) },
});

/** Started before the first test of a file, removed after the last. */
export function thingsApp(): Pick<RestApp, 'agent' | 'add'> {
  let app: RestApp;
  beforeAll(async () => {
    app = await restApp(files);
  });
  afterAll(() => app.remove());
  beforeEach(() => app.empty(things));
  return {
    get agent() {
      return app.agent;
    },
    add: (path, data) => app.add(path, data),
  };
}
