import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { FormPart } from './row';
import { fill, fillText, type Values } from './template';

/** A request's body with its media type, as it goes over the wire. */
export interface EncodedForm {
  readonly type: string;
  readonly bytes: Buffer;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG image of this size: the same bytes each time, so that what is made of it can be told. */
export function imageOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const line = width * 3 + 1;
  const pixels = Buffer.alloc(line * height);
  // The first byte of a line says that none of it is reckoned from others.
  for (let at = 0; at < pixels.length; at++) pixels[at] = at % line === 0 ? 0 : (at * 7) & 255;
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function contentOf(part: FormPart, values: Values): Buffer {
  if (part.image) return imageOf(...part.image);
  if (part.base64 !== undefined) return Buffer.from(part.base64, 'base64');
  if (part.json !== undefined) return Buffer.from(JSON.stringify(fill(part.json, values)));
  return Buffer.from(fillText(part.text ?? '', values));
}

/** As browsers write names into headers. */
const quoted = (name: string): string =>
  `"${name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}"`;

function headOf(part: FormPart, values: Values): string {
  const field = `Content-Disposition: form-data; name=${quoted(fillText(part.name, values))}`;
  if (part.file === undefined) return field;
  const type = part.type ?? 'application/octet-stream';
  return `${field}; filename=${quoted(fillText(part.file, values))}\r\nContent-Type: ${type}`;
}

/** A form's parts, in the order of the row. The boundary depends on them alone, so that a row is played the same way twice. */
export function encodeForm(parts: readonly FormPart[], values: Values): EncodedForm {
  const encoded = parts.map((part) => ({ head: headOf(part, values), content: contentOf(part, values) }));
  const digest = createHash('sha256');
  for (const { head, content } of encoded) digest.update(head).update(content);
  const boundary = `----form-${digest.digest('hex').slice(0, 32)}`;
  const bytes = encoded.flatMap(({ head, content }) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...bytes, Buffer.from(`--${boundary}--\r\n`)]),
  };
}
