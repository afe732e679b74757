import { problem, refuseIfAny } from './problems';
import { didYouMean } from './suggest';

export interface Lookups {
  /** The plugin that is just being applied. */
  applying(): string | undefined;
}

/**
 * What stands behind an object of hooks and hears of the names that it lacks: only these come here, so that names that
 * are there cost what they always do. Plugins look for hooks while they are applied; later, nothing is refused.
 */
export function behind(what: string, prefix: string, known: () => readonly string[], { applying }: Lookups): object {
  return new Proxy(Object.prototype, {
    get(target, key) {
      const plugin = applying();
      if (typeof key === 'symbol' || plugin === undefined || key in target) return Reflect.get(target, key);
      // Names are compared without what stands before all of them.
      const meant = didYouMean(key, known()).replace('"', `"${prefix}`);
      // A plugin may ask for the hooks of another that is switched off, or of a later version.
      if (meant) refuseIfAny([problem(`plugin "${plugin}"`, `there is no ${what} ${prefix}${key}.`, meant.trim())]);
      return undefined;
    },
  });
}
