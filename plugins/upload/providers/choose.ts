import { type AppInfo, didYouMean, type Logger, problem, refuseIfAny, schemaProblems } from '../../../core';
import type { FileProvider, FileStore, UploadHooks } from '../hooks';
import type { UploadOptions } from '../options';
import { localProvider } from './local';

const where = 'config/plugins';

/** Those that bring much are read when they are chosen. */
function collected(hooks: UploadHooks): Map<string, () => FileProvider> {
  const providers = new Map<string, () => FileProvider>([
    ['local', () => localProvider],
    ['aws-s3', () => (require('./aws-s3') as typeof import('./aws-s3')).s3Provider],
  ]);
  const add = (provider: FileProvider): void => {
    const { name } = provider;
    if (providers.has(name))
      refuseIfAny([problem(`upload provider "${name}"`, 'is added twice.', 'Give one of the two another name.')]);
    providers.set(name, () => provider);
  };
  hooks.providers.call({ add });
  return providers;
}

export interface ChosenStore {
  readonly name: string;
  readonly options: unknown;
  readonly store: FileStore;
}

/** The place for files that the configuration names, with its options checked. */
export function chooseStore(
  { provider: name, providerOptions }: UploadOptions,
  hooks: UploadHooks,
  place: { readonly app: AppInfo; readonly log: Logger },
): ChosenStore {
  const providers = collected(hooks);
  const provider = providers.get(name);
  const known = [...providers.keys()];
  if (!provider)
    refuseIfAny([
      problem(
        where,
        `names "${name}", which no plugin adds: no file could be kept.`,
        `Known are ${known.join(', ')}.${didYouMean(name, known)}`,
        'upload.config.provider',
      ),
    ]);
  const { options, make } = provider!();
  const { value, problems } = schemaProblems(options, providerOptions, where, 'upload.config.providerOptions');
  refuseIfAny(problems);
  return { name, options: value, store: make(value, place) };
}
