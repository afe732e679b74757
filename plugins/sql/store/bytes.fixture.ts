/** One attribute of each kind of scalar. */
export const attributes = {
  word: { type: 'string' },
  body: { type: 'text' },
  mail: { type: 'email' },
  slug: { type: 'uid' },
  line: { type: 'enumeration', enum: ['a'] },
  whole: { type: 'integer' },
  big: { type: 'biginteger' },
  ratio: { type: 'float' },
  money: { type: 'decimal' },
  flag: { type: 'boolean' },
  day: { type: 'date' },
  hour: { type: 'time' },
  moment: { type: 'datetime' },
  stamp: { type: 'timestamp' },
  extra: { type: 'json' },
  story: { type: 'blocks' },
};
