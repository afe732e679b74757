import { z } from 'zod';

const bytes = z.int().positive();
const typeName = z.string().regex(/^[\w.+-]+(\/[\w.+*-]+)?$|^\*\/\*$/, 'is no media type such as image/png or image/*');

export const uploadOptions = z.strictObject({
  /** Where files are kept: `local`, `aws-s3`, or what a plugin adds; the names of Strapi's packages mean the same. */
  provider: z
    .string()
    .default('local')
    .transform((name) => name.replace(/^(@strapi\/provider-upload|strapi-provider-upload)-/, '')),
  /** The provider's own affair, and checked by it. */
  providerOptions: z.looseObject({}).default({}),
  /** What existing projects hand to each call of their provider. */
  actionOptions: z.looseObject({}).default({}),
  /** Bytes of one file. */
  sizeLimit: bytes.default(1_000_000_000),
  /** Files of one request. */
  filesLimit: z.int().min(1).max(1_000).default(100),
  /** Smaller versions of images: name → the most pixels on either side. */
  breakpoints: z
    .record(z.string().regex(/^[A-Za-z][\w-]*$/), z.int().positive())
    .default({ large: 1000, medium: 750, small: 500 }),
  security: z
    .strictObject({ allowedTypes: z.array(typeName).optional(), deniedTypes: z.array(typeName).optional() })
    .prefault({}),
  images: z
    .strictObject({
      /** Made smaller versions are in this format; in that of the image, unless given. */
      format: z.enum(['webp', 'avif', 'jpeg', 'png']).optional(),
      quality: z.int().min(1).max(100).optional(),
      /** Answers before the smaller versions are made; they appear in the file a little later. */
      background: z.boolean().default(false),
      /** An image of more pixels, all its frames together, is refused before it is decoded. */
      maxPixels: z.int().positive().default(100_000_000),
      /** Milliseconds for one version of an image. */
      timeout: z.int().min(1_000).default(30_000),
      /** How many images are worked on at once. */
      parallel: z.int().min(1).default(2),
    })
    .prefault({}),
});

export type UploadOptions = z.infer<typeof uploadOptions>;

declare module '../../core/types' {
  interface PluginOptions {
    upload: z.input<typeof uploadOptions>;
  }
}
