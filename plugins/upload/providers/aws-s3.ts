import { createReadStream } from 'node:fs';
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import { z } from 'zod';
import type { FileProvider, FileStore } from '../hooks';
import { isRisky } from '../risky-types';

const part = z.looseObject({});

const options = z.strictObject({
  /** The address under which the world finds the bucket; made of bucket, region and endpoint, unless given. */
  baseUrl: z.string().optional(),
  /** A folder in the bucket. */
  rootPath: z.string().optional(),
  s3Options: z.looseObject({
    credentials: z
      .strictObject({
        accessKeyId: z.string().min(1),
        secretAccessKey: z.string().min(1),
        sessionToken: z.string().optional(),
      })
      .optional(),
    region: z.string().min(1),
    endpoint: z.string().optional(),
    forcePathStyle: z.boolean().optional(),
    params: z.strictObject({
      Bucket: z.string().min(1),
      /** `private` has every answer show addresses that work for a while. */
      ACL: z.string().optional(),
      /** Seconds that such an address works. */
      signedUrlExpires: z.int().min(1).max(604_800).default(900),
    }),
  }),
  providerConfig: part.optional(),
});

export type S3Options = z.infer<typeof options>;

/** Bytes of one part: two of them at a time are all of a file that is in memory. */
const partSize = 5 * 1024 * 1024;

const trimmed = (text: string): string => text.replace(/^\/+|\/+$/g, '');

function createS3Store({ baseUrl, rootPath, s3Options }: S3Options): FileStore {
  const { params, ...clientOptions } = s3Options;
  const { Bucket, ACL, signedUrlExpires } = params;
  const isPrivate = ACL === 'private';
  const prefix = rootPath ? `${trimmed(rootPath)}/` : '';
  let client: S3Client | undefined;

  /** The client is large: it is loaded when the first file comes. */
  function connected() {
    const s3 = require('@aws-sdk/client-s3') as typeof import('@aws-sdk/client-s3');
    client ??= new s3.S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED', ...(clientOptions as S3ClientConfig) });
    return { ...s3, client };
  }

  function addressOf(key: string): string {
    const path = `${prefix}${key}`;
    if (baseUrl) return `${baseUrl.replace(/\/+$/, '')}/${path}`;
    const { endpoint, region, forcePathStyle } = s3Options;
    if (!endpoint) return `https://${Bucket}.s3.${region}.amazonaws.com/${path}`;
    const url = new URL(endpoint);
    return forcePathStyle ? `${url.origin}/${Bucket}/${path}` : `${url.protocol}//${Bucket}.${url.host}/${path}`;
  }

  return {
    async put(key, { path, mime }) {
      const { client: own } = connected();
      const { Upload } = require('@aws-sdk/lib-storage') as typeof import('@aws-sdk/lib-storage');
      const upload = new Upload({
        client: own,
        queueSize: 2,
        partSize,
        params: {
          Bucket,
          Key: `${prefix}${key}`,
          Body: createReadStream(path),
          ContentType: mime,
          ...(isRisky(mime) && { ContentDisposition: 'attachment' }),
          ...(ACL && { ACL: ACL as never }),
        },
      });
      await upload.done();
    },
    async remove(key) {
      const { client: own, DeleteObjectCommand } = connected();
      await own.send(new DeleteObjectCommand({ Bucket, Key: `${prefix}${key}` }));
    },
    urlOf: addressOf,
    ...(isPrivate && {
      signedUrl(key: string) {
        const { client: own, GetObjectCommand } = connected();
        const { getSignedUrl } =
          require('@aws-sdk/s3-request-presigner') as typeof import('@aws-sdk/s3-request-presigner');
        const command = new GetObjectCommand({ Bucket, Key: `${prefix}${key}` });
        return getSignedUrl(own, command, { expiresIn: signedUrlExpires });
      },
    }),
    close: () => client?.destroy(),
  };
}

/** Keeps files in a bucket of S3, or of a server that speaks its protocol. */
export const s3Provider: FileProvider = {
  name: 'aws-s3',
  options,
  make: (given) => createS3Store(given as S3Options),
};
