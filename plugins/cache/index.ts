import { definePlugin, STORE, token } from '../../core';
import { type Counts, createKeptAnswers, type KeptAnswers } from './kept-answers';
import { type CacheOptions, cacheOptions } from './options';
import { createQuestions } from './questions';

/** How the cache does. */
export const CACHE = token<{ counts(): Counts }>('cache');

export default definePlugin<CacheOptions>({
  name: 'cache',
  after: ['sql'],
  options: cacheOptions,
  apply({ hooks, service, log }, options) {
    const questionOf = createQuestions();
    let kept: KeptAnswers | undefined;

    hooks.lifecycle.provide.tap('cache', (services) => {
      services.add(CACHE, () => ({
        counts: () => kept?.counts() ?? { hits: 0, misses: 0, answers: 0, bytes: 0 },
      }));
    });

    hooks.lifecycle.boot.tapPromise('cache', async () => {
      const { changes } = service(STORE);
      if (!changes) return log.warn({}, 'the store does not tell what changes, so that no answer is kept');
      await changes.begin();
      kept = createKeptAnswers(options, changes, log);
    });

    hooks.document.execute.tapPromise('cache', async (execution) => {
      const question = kept && questionOf(execution);
      return question && kept!.answer(question, execution.run);
    });

    hooks.lifecycle.close.tapPromise('cache', async () => {
      if (kept) log.debug(kept.counts(), 'answers were kept');
    });
  },
});

export type { Counts } from './kept-answers';
