import { type Problem, problem, type TypeDefinition } from '../../core';

type PluginOptions = { readonly i18n?: { readonly localized?: unknown } } | null | undefined;

const isAnswered = (options: PluginOptions): boolean =>
  ['boolean', 'undefined'].includes(typeof (options?.i18n?.localized ?? undefined));

/** Where a schema file says something else than yes or no of whether there are locales. */
export function localizedProblems(definitions: readonly TypeDefinition[]): Problem[] {
  return definitions.flatMap(({ file, pluginOptions, attributes }) =>
    [
      { at: '', options: pluginOptions as PluginOptions },
      ...Object.entries(attributes).map(([name, attribute]) => ({
        at: `/attributes/${name}`,
        options: attribute['pluginOptions'] as PluginOptions,
      })),
    ]
      .filter(({ options }) => !isAnswered(options))
      .map(({ at }) =>
        problem(file, 'is neither true nor false.', 'Correct the value.', `${at}/pluginOptions/i18n/localized`),
      ),
  );
}
