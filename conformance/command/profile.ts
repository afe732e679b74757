import { z } from 'zod';
import { readJson } from '../runner/json-file';
import { commonFeatures, type Feature, featureNames } from '../runner/row';

const profileSchema = z.strictObject({
  /** How reports call the target; its URL when absent. */
  name: z.string().min(1).optional(),
  url: z.string().optional(),
  /** The environment variable that holds the token, so that the profile itself is no secret. */
  tokenFrom: z.string().min(1).optional(),
  /** What the target has and has not; what is not named is there, but for what must be prepared. */
  features: z.partialRecord(z.enum(featureNames), z.boolean()).optional(),
  /** Features that are there, and are not to be played. */
  off: z.array(z.enum(featureNames)).optional(),
  exclusive: z.boolean().optional(),
  only: z.array(z.string()).optional(),
  /** Seconds for one answer. */
  timeout: z.number().positive().optional(),
  retries: z.int().min(0).optional(),
  concurrency: z.int().min(1).optional(),
  /** A file of known deviations, as seen from the profile. */
  deviations: z.string().optional(),
});

export type Profile = z.infer<typeof profileSchema>;

/** What is known of a target, so that nobody has to type it. */
export const readProfile = (file: string): Profile => readJson(file, profileSchema);

const isCommon = (feature: Feature): boolean => commonFeatures.some((name) => name === feature);

export const declaredBy = ({ features }: Profile): Feature[] | undefined =>
  features && featureNames.filter((name) => features[name] ?? isCommon(name));

export function featuresNamed(names: readonly string[]): Feature[] {
  return names.map((name) => {
    const feature = featureNames.find((candidate) => candidate === name);
    if (!feature) throw new Error(`There is no feature "${name}"; the features are ${featureNames.join(', ')}.`);
    return feature;
  });
}
