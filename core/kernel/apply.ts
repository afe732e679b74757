import type { Heddle } from './heddle';
import type { AnyPlugin } from './plugin';
import { ProjectError, placeOf, problem, refuseIfAny } from './problems';

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as PromiseLike<unknown> | undefined)?.then === 'function';

/** Applies a plugin. What goes wrong in it names the plugin, and what answers later than at once is refused. */
export function applyPlugin(plugin: AnyPlugin, heddle: Heddle, options: unknown): void {
  const where = `plugin "${plugin.name}"`;
  let answer: unknown;
  try {
    answer = plugin.apply(heddle, options);
  } catch (error) {
    if (error instanceof ProjectError) throw error;
    refuseIfAny([problem(where, `fails in "apply": ${error}${placeOf(error)}.`, 'Mend it there.')]);
  }
  if (!isPromise(answer)) return;
  // The start is refused without waiting for it.
  answer.then(undefined, (err) => heddle.log.error({ err }, 'apply failed, too'));
  refuseIfAny([
    problem(
      where,
      'answers a promise in "apply", which is to answer nothing.',
      'Take async away from it; what takes time belongs into lifecycle.boot.tapPromise.',
    ),
  ]);
}
