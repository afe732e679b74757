import type { Source } from './sources';

const features = /locale|publishedAt|published_at|i18n|graphql|knex|sqlite|mysql|postgres|jwt|upload/i;

/** The kernel knows no feature: not even the word. Tests may use one as an example. */
export function featureWords(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => path.startsWith('core/') && !path.endsWith('.test.ts'))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const word = features.exec(line)?.[0];
        return word ? [`${path}:${index + 1} says "${word}"; a plugin may, core may not.`] : [];
      }),
    );
}
