import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { HeddleError, validationError } from '../../core';
import { givenName } from './file-name';
import type { StagedFile, Staging } from './staging';

/** A file of a form, as it came. */
export interface ReceivedFile extends StagedFile {
  readonly name: string;
  /** The type that the client says. */
  readonly claimed: string;
}

export interface Form {
  /** By name: what was sent once, or a list of what was sent several times. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: readonly ReceivedFile[];
}

export interface FormLimits {
  readonly sizeLimit: number;
  readonly filesLimit: number;
}

/** The field that files come in. */
const filesField = 'files';
const fieldLimits = { fieldNameSize: 200, fieldSize: 1_000_000, fields: 300, headerPairs: 20, headerSize: 16_384 };
/** All texts of a form together: they are held in memory, whoever sends them. */
const textLimit = 2_000_000;
const units = ['B', 'KB', 'MB', 'GB', 'TB'];

const malformed = (error?: unknown): HeddleError =>
  new HeddleError(
    'ValidationError',
    'The form can not be read: it ends too early or is not well-formed',
    {},
    { cause: error },
  );

function spelt(bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${Math.round((bytes / 1000 ** step) * 100) / 100} ${units[step]}`;
}

const tooLarge = (name: string, limit: number): HeddleError =>
  new HeddleError('PayloadTooLargeError', `${name} exceeds size limit of ${spelt(limit)}.`, {});

export const isForm = (request: IncomingMessage): boolean =>
  /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '');

/**
 * Reads a form as it arrives. Files go to the disk without being held in memory; when anything is wrong, whatever came is
 * gone before the caller is told.
 */
export function readForm(
  request: IncomingMessage,
  staging: Staging,
  { sizeLimit, filesLimit }: FormLimits,
): Promise<Form> {
  const { Busboy } = require('@fastify/busboy') as typeof import('@fastify/busboy');
  return new Promise((resolve, reject) => {
    if (request.headers['content-length'] === '0') return void resolve({ fields: {}, files: [] });
    const fields: Record<string, unknown> = Object.create(null);
    const arriving: Promise<ReceivedFile>[] = [];
    const open = new Set<Readable>();
    let textSize = 0;
    let isOver = false;
    let parser: InstanceType<typeof Busboy>;
    try {
      const headers = { ...request.headers, 'content-type': request.headers['content-type'] ?? '' };
      parser = new Busboy({
        headers,
        preservePath: true,
        isPartAFile: (_field, _type, name) => name !== undefined,
        limits: { ...fieldLimits, fileSize: sizeLimit, files: filesLimit, parts: fieldLimits.fields + filesLimit },
      });
    } catch (error) {
      request.resume();
      reject(malformed(error));
      return;
    }

    /** Ends with an error once all that was received is gone. The rest of the request runs into nothing. */
    async function fail(error: Error): Promise<void> {
      if (isOver) return;
      isOver = true;
      request.unpipe(parser);
      request.resume();
      for (const stream of open) stream.destroy(error);
      const results = await Promise.allSettled(arriving);
      await discard(
        staging,
        results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
      );
      reject(error);
    }

    parser.on('field', (name, value, nameTruncated, valueTruncated) => {
      if (nameTruncated || valueTruncated) return void fail(validationError(`The field ${name} is too long`));
      textSize += Buffer.byteLength(value);
      if (textSize > textLimit) return void fail(tooLarge('The text of the form', textLimit));
      fields[name] = Object.hasOwn(fields, name) ? [fields[name], value].flat() : value;
    });
    parser.on('file', (field, stream, sent, _encoding, type) => {
      // What goes wrong with it the parser tells as well; told here alone, and to nobody, it would end the process.
      stream.on('error', () => undefined);
      // What came together with the reason to refuse the form is read on to its end.
      if (isOver || field !== filesField) return void stream.resume();
      const name = givenName(sent);
      open.add(stream);
      stream.on('limit', () => void fail(tooLarge(name, sizeLimit)));
      const received = staging
        .receive(stream)
        .then((staged): ReceivedFile => ({ ...staged, name, claimed: type }))
        .finally(() => open.delete(stream));
      arriving.push(received);
      received.catch((error) => void fail(error as Error));
    });
    for (const [event, what] of [
      ['filesLimit', `more than ${filesLimit} files`],
      ['fieldsLimit', `more than ${fieldLimits.fields} fields`],
      ['partsLimit', 'too many parts'],
    ] as const)
      parser.on(event, () => void fail(new HeddleError('PayloadTooLargeError', `The form has ${what}.`, {})));
    parser.on('error', (error) => void fail(malformed(error)));
    parser.on('finish', () => {
      Promise.all(arriving).then(
        (files) => {
          if (isOver) return;
          isOver = true;
          resolve({ fields, files });
        },
        (error) => void fail(error as Error),
      );
    });
    request.on('aborted', () => void fail(malformed()));
    request.on('error', (error) => void fail(malformed(error)));
    request.pipe(parser);
  });
}

/** Throws received files away. */
export async function discard(staging: Staging, files: readonly StagedFile[]): Promise<void> {
  await Promise.all(files.map(({ path }) => staging.drop(path)));
}
