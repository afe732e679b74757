import type { Heddle } from '../../../core';

/** For tests: a dimension that this plugin has never heard of, along which nobody need choose. */
export const regions = ({ hooks }: Heddle): void => {
  hooks.content.dimensions.tap('own', (dimensions) => {
    dimensions.add('region', {
      name: 'region',
      attribute: { name: 'salesRegion', definition: { type: 'string' } },
      extends: true,
      appliesTo: () => true,
      choose: (given = 'north') => (given === 'any' ? { any: true } : { is: String(given) }),
    });
  });
};
