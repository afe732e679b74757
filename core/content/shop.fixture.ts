import { inMemory } from './content.fixture';

// For tests: things in a shop, kept in memory.

const attributes = {
  name: { type: 'string', required: true },
  sku: { type: 'string', unique: true },
  slug: { type: 'uid' },
  rating: { type: 'integer', min: 0, max: 10, default: 3 },
  released: { type: 'date' },
  start: { type: 'time' },
  secret: { type: 'password' },
  note: { type: 'string', private: true },
};

export const shop = () => {
  const content = inMemory(attributes, { concealed: ['createdBy'], ignoredInBodies: ['market'] });
  return { ...content, things: content.documents.of('api::thing.thing') };
};

export const issue = (path: string, message: string, ...value: unknown[]) => ({
  path: [path],
  message,
  name: 'ValidationError',
  ...(value.length > 0 && { value: value[0] }),
});
