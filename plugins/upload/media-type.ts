import { extname } from 'node:path';
import { lookup } from 'mime-types';

/** What the first bytes of a file say: its type, or the family of types that look alike from outside. */
interface Signature {
  readonly mime: string;
  /** Also these, where the name says so: formats that share one wrapping. */
  readonly or?: RegExp;
  matches(head: Buffer): boolean;
}

const ascii = (head: Buffer, at: number, length: number): string => head.toString('latin1', at, at + length);
const at =
  (offset: number, ...texts: string[]) =>
  (head: Buffer): boolean =>
    texts.some((text) => ascii(head, offset, text.length) === text);
const brand =
  (...names: string[]) =>
  (head: Buffer): boolean =>
    ascii(head, 4, 4) === 'ftyp' && names.some((name) => ascii(head, 8, name.length) === name);
const riff = (form: string) => (head: Buffer) => ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 4) === form;

const signatures: readonly Signature[] = [
  { mime: 'image/png', matches: at(0, '\x89PNG\r\n\x1a\n') },
  { mime: 'image/jpeg', matches: at(0, '\xff\xd8\xff') },
  { mime: 'image/gif', matches: at(0, 'GIF87a', 'GIF89a') },
  { mime: 'image/webp', matches: riff('WEBP') },
  { mime: 'image/tiff', or: /^image\/x-/, matches: at(0, 'II*\0', 'MM\0*') },
  { mime: 'image/bmp', matches: (head) => at(0, 'BM')(head) && head.length > 14 && head.readUInt32LE(6) === 0 },
  { mime: 'image/vnd.microsoft.icon', or: /^image\/x-icon$/, matches: at(0, '\0\0\x01\0') },
  { mime: 'image/avif', matches: brand('avif', 'avis') },
  { mime: 'image/heic', or: /^image\/hei[cf]$/, matches: brand('heic', 'heix', 'hevc', 'mif1', 'msf1') },
  { mime: 'video/quicktime', matches: brand('qt  ') },
  { mime: 'audio/mp4', or: /^audio\//, matches: brand('M4A', 'M4B') },
  { mime: 'video/mp4', or: /^(video|audio)\//, matches: brand('') },
  { mime: 'video/webm', or: /^(video|audio)\//, matches: at(0, '\x1aE\xdf\xa3') },
  { mime: 'video/x-msvideo', matches: riff('AVI ') },
  { mime: 'video/mpeg', matches: at(0, '\0\0\x01\xba', '\0\0\x01\xb3') },
  { mime: 'audio/wav', or: /^audio\//, matches: riff('WAVE') },
  { mime: 'audio/mpeg', matches: at(0, 'ID3', '\xff\xfb', '\xff\xf3', '\xff\xf2') },
  { mime: 'audio/flac', or: /^audio\//, matches: at(0, 'fLaC') },
  { mime: 'audio/ogg', or: /^(video|audio|application)\//, matches: at(0, 'OggS') },
  { mime: 'application/pdf', or: /illustrator|postscript/, matches: at(0, '%PDF-') },
  { mime: 'application/zip', or: /^application\/|\+zip$/, matches: at(0, 'PK\x03\x04', 'PK\x05\x06') },
  { mime: 'application/gzip', or: /gzip|compressed|tgz/, matches: at(0, '\x1f\x8b') },
  { mime: 'application/x-7z-compressed', matches: at(0, '7z\xbc\xaf\x27\x1c') },
  { mime: 'application/vnd.rar', or: /rar/, matches: at(0, 'Rar!\x1a\x07') },
  {
    mime: 'application/x-msdos-program',
    or: /ms|dos|executable/,
    matches: (head) => at(0, 'MZ')(head) && head.length > 64,
  },
  { mime: 'application/x-executable', or: /executable|sharedlib|object/, matches: at(0, '\x7fELF') },
  { mime: 'application/wasm', matches: at(0, '\0asm') },
  { mime: 'font/woff', matches: at(0, 'wOFF') },
  { mime: 'font/woff2', matches: at(0, 'wOF2') },
];

/** Images always show what they are: what is called one of these and doesn't is none. */
const shownImages = new Set(signatures.map(({ mime }) => mime).filter((mime) => mime.startsWith('image/')));

const isText = (head: Buffer): boolean => !head.includes(0);

/**
 * What may stand before the first element. Nothing is demanded behind it, so that no text makes the search go back and part
 * it otherwise, which for comments can be done in more ways than anyone can wait for.
 */
const preamble = /^(?:\s|<\?xml[^>]*>|<!--[\s\S]*?-->|<!doctype svg[^>]*>)*/i;
const looksLikeHtml = (body: string): boolean => /^<(!doctype html|html|head|body|script|iframe)\b/i.test(body);
const looksLikeSvg = (body: string): boolean => /^<svg\b/i.test(body);

const octets = 'application/octet-stream';
const plain = 'text/plain';

const isMediaType = (text: string): boolean => /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(text);

/** Types of one thing by two names. */
const otherNames: Readonly<Record<string, string>> = {
  'text/javascript': 'application/javascript',
  'image/pjpeg': 'image/jpeg',
};

/** The type that an ending such as `.png` stands for. */
export function typeOfEnding(ending: string): string | undefined {
  const type = ending !== '' && lookup(ending);
  return type ? (otherNames[type] ?? type) : undefined;
}

/** What a file is called: by the ending of its name, else as the client says. */
const calledType = (name: string, claimed: string): string =>
  typeOfEnding(extname(name)) ?? (isMediaType(claimed) ? claimed : octets);

/**
 * The type of a file: what its first bytes show goes before what it is called. What shows nothing is believed its name,
 * unless that names an image, which would show.
 */
export function mediaTypeOf(name: string, claimed: string, head: Buffer): string {
  const called = calledType(name, claimed);
  const signature = signatures.find(({ matches }) => matches(head));
  if (signature) return signature.or?.test(called) ? called : signature.mime;
  const isNone = shownImages.has(called);
  if (!isText(head)) return isNone || called.startsWith('text/') ? octets : called;
  const body = head.toString('utf8').replace(preamble, '');
  if (looksLikeHtml(body) && called !== 'application/xhtml+xml') return 'text/html';
  if (looksLikeSvg(body)) return 'image/svg+xml';
  return isNone || called === 'image/svg+xml' ? plain : called;
}

/** Whether a type is among those of a list such as `image/*`. */
export const isAmong = (mime: string, list: readonly string[]): boolean =>
  list.some(
    (item) =>
      item === '*/*' ||
      item === mime ||
      (item.endsWith('/*') ? mime.startsWith(item.slice(0, -1)) : mime.startsWith(`${item}/`)),
  );
