import { z } from 'zod';

/** What an attribute of any kind may say; a word for yes is none, least of all where something shall be kept private. */
export const commonOptions = z.looseObject({
  private: z.boolean().nullish(),
  required: z.boolean().nullish(),
  unique: z.boolean().nullish(),
  pluginOptions: z.record(z.string(), z.unknown()).nullish(),
});
