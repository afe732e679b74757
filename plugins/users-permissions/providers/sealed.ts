import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const [ivLength, tagLength] = [12, 16];

/** Texts that only this application can write and read, until they expire. */
export interface Seal {
  close(value: object, milliseconds: number): string;
  /** Nothing for what is not ours, was changed or has expired. */
  open(text: string): Record<string, unknown> | undefined;
}

/** `purpose` makes a key of its own out of the secret: what is sealed for one is nothing to another. */
export function createSeal(secret: string, purpose: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));

  function read(text: string): Record<string, unknown> {
    const bytes = Buffer.from(text, 'base64url');
    const cipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivLength), { authTagLength: tagLength });
    cipher.setAuthTag(bytes.subarray(ivLength, ivLength + tagLength));
    const plain = Buffer.concat([cipher.update(bytes.subarray(ivLength + tagLength)), cipher.final()]);
    return JSON.parse(plain.toString('utf8')) as Record<string, unknown>;
  }

  return {
    close(value, milliseconds) {
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagLength });
      const plain = JSON.stringify({ ...value, expires: Date.now() + milliseconds });
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open(text) {
      try {
        const value = read(text);
        return Number(value['expires']) > Date.now() ? value : undefined;
      } catch {
        // Whatever is wrong with it, nobody is told why.
        return undefined;
      }
    },
  };
}
