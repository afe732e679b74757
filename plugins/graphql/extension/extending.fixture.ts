import { definePlugin, type Heddle } from '../../../core';
import type { Extension, GraphqlExtension } from './extension';

// For tests: plugins that extend the schema.

export const plugin = (
  name: string,
  say: (extension: GraphqlExtension) => void,
  more: (heddle: Heddle) => void = () => undefined,
) =>
  definePlugin({
    name,
    after: ['graphql'],
    apply(heddle) {
      heddle.hooks.graphql.extend.tap(name, say);
      more(heddle);
    },
  });

export const adding = (name: string, ...extensions: Extension[]) =>
  plugin(name, (extension) => {
    for (const one of extensions) extension.use(one);
  });
