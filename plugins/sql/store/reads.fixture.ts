// For tests: a type with an attribute of each kind that is compared.

export const attributes = {
  n: { type: 'integer' },
  name: { type: 'string' },
  price: { type: 'decimal' },
  ratio: { type: 'float' },
  views: { type: 'biginteger' },
  flag: { type: 'boolean' },
  day: { type: 'date' },
  hour: { type: 'time' },
  moment: { type: 'datetime' },
  extra: { type: 'json' },
};
