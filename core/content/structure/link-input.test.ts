import type { Nested } from '../nested';
import { readLink } from './link-input';

const many = { name: 'tags', many: true } as Nested;
const files = { name: 'files', many: true, storage: 'attached' } as Nested;
const one = { name: 'tags', many: false } as Nested;
const read = (given: unknown, nested = many) => readLink(nested, given, 'tags');
const doc = (documentId: string, parameters = {}) => ({ documentId, parameters });
const end = { at: 'end' };

describe('forms', () => {
  test.each<[string, unknown, unknown]>([
    ['a document', 'a', { set: [doc('a')] }],
    ['a row', 5, { set: [{ id: 5 }] }],
    ['a row as text', '5', { set: [{ id: 5 }] }],
    ['a row in an object', { id: 5 }, { set: [{ id: 5 }] }],
    ['a row as text in an object', { id: '5' }, { set: [{ id: 5 }] }],
    ['a document in an object', { documentId: 'a' }, { set: [doc('a')] }],
    ['parameters of dimensions', [{ documentId: 'a', market: 'north' }], { set: [doc('a', { market: 'north' })] }],
    ['a list of everything', ['a', 5, { id: 6 }], { set: [doc('a'), { id: 5 }, { id: 6 }] }],
    ['null', null, { set: [] }],
    ['an empty list', [], { set: [] }],
    ['nothing said', {}, undefined],
    ['set to null', { set: null }, undefined],
    ['connect with null', { connect: null }, undefined],
    ['set', { set: ['a'] }, { set: [doc('a')] }],
    ['set without a list', { set: 'a' }, { set: [doc('a')] }],
    [
      'connect without a list',
      { connect: { documentId: 'a' } },
      { connect: [{ ref: doc('a'), position: end }], disconnect: [] },
    ],
    ['disconnect', { disconnect: ['a', 5] }, { connect: [], disconnect: [doc('a'), { id: 5 }] }],
    [
      'set to null beside connect',
      { set: null, connect: ['a'] },
      { connect: [{ ref: doc('a'), position: end }], disconnect: [] },
    ],
    ['a truth', true, { set: [{ id: Number.NaN }] }],
    ['a document that nobody gave', { documentId: undefined, set: ['b'] }, { set: [doc('b')] }],
    ['no document', { documentId: null, connect: ['b'] }, { set: [], unfit: true }],
    ['attributes of the target alone', { name: 'a' }, undefined],
    ['a list with nothing in it', [null, []], { set: [] }],
    [
      'what names a document and a row',
      { documentId: 'a', id: 5, connect: ['b'] },
      { set: [doc('a', { connect: ['b'] })] },
    ],
    ['a number as a document', { documentId: 5 }, { set: [doc('5')] }],
    ['a row that is no number', { id: 'x' }, { set: [{ id: Number.NaN }] }],
    ['an empty name', '', { set: [], unfit: true }],
    ['a list with an object that names nothing', ['a', {}], { set: [doc('a')], unfit: true }],
    ['a truth in a list', [true], { set: [{ id: Number.NaN }] }],
    ['a keyword with a truth', { set: true }, { set: [], unfit: true }],
    ['a keyword with zero', { connect: 0 }, { connect: [], disconnect: [], unfit: true }],
    ['disconnect with zero', { disconnect: 0 }, { connect: [], disconnect: [{ id: 0 }] }],
    ['disconnect with an empty name', { disconnect: '' }, { connect: [], disconnect: [], unfit: true }],
  ])('%s', (_name, given, change) => expect(read(given)).toEqual(change));

  test('positions', () => {
    const positionOf = (position: unknown) => {
      const change = read({ connect: [{ documentId: 'a', position }] });
      return change && 'connect' in change ? change.connect[0]!.position : undefined;
    };
    const told = { after: 'b', market: 'north' };
    expect(positionOf({ before: 'b' })).toEqual({ at: 'before', anchor: doc('b'), told: { before: 'b' } });
    expect(positionOf(told)).toEqual({ at: 'after', anchor: doc('b', { market: 'north' }), told });
    expect(positionOf({ start: true })).toEqual({ at: 'start' });
    expect(positionOf({ start: 'yes', before: '' })).toEqual({ at: 'start' });
    const both = { start: true, after: 'c', before: 'b' };
    expect(positionOf(both)).toEqual({ at: 'before', anchor: doc('b'), told: both });
    expect(positionOf('start')).toEqual(end);
    expect(positionOf({ end: true })).toEqual(end);
    expect(positionOf(undefined)).toEqual(end);
  });
});

test('set stands alone', () => {
  for (const given of [
    { set: ['a'], connect: ['b'] },
    { set: [], disconnect: ['b'] },
    { set: ['a'], connect: [] },
  ])
    expect(() => read(given)).toThrow(expect.objectContaining({ name: 'ValidationError', status: 400 }));
});

test('a to-one link is set to the last of several, and the others are looked up', () => {
  expect(read(['a', 'b'], one)).toEqual({ set: [doc('b')], also: [doc('a')] });
  expect(read({ connect: ['a', 'a'] }, one)).toMatchObject({ connect: [{ ref: doc('a') }, { ref: doc('a') }] });
});

describe('what is attached', () => {
  const attached = (given: unknown) => readLink(files, given, 'files');

  test.each([null, [], {}, { set: null }, { connect: [] }])('%j clears', (given) => {
    expect(attached(given)).toEqual({ set: [] });
  });

  test.each([true, false, { id: null }])('%j names a row that is not there', (given) => {
    expect(attached(given)).toEqual({ set: [{ id: Number.NaN }] });
  });
});
