import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const attributes = {
  title: { type: 'string', required: true, maxLength: 200 },
  slug: { type: 'uid', targetField: 'title' },
  summary: { type: 'text' },
  body: { type: 'richtext' },
  state: { type: 'enumeration', enum: ['new', 'shown', 'gone'] },
  rank: { type: 'integer', min: 0 },
  weight: { type: 'float' },
  price: { type: 'decimal' },
  serial: { type: 'biginteger' },
  visible: { type: 'boolean', default: true },
  day: { type: 'date' },
  moment: { type: 'datetime' },
  extra: { type: 'json' },
};

const toNext = (name: string) => ({ type: 'relation', relation: 'manyToOne', target: `api::${name}.${name}` });

/** Writes an application of so many content types, one of them with a name that databases shorten. */
export function writeLargeProject(folder: string, count: number): void {
  const names = Array.from(
    { length: count },
    (_, index) => `thing-${index}${index === 0 ? '-of-the-longest-sort'.repeat(2) : ''}`,
  );
  for (const [index, name] of names.entries()) {
    const type = join(folder, 'src', 'api', name, 'content-types', name);
    mkdirSync(type, { recursive: true });
    const schema = {
      kind: 'collectionType',
      info: { singularName: name, pluralName: `${name}s`, displayName: name },
      attributes: { ...attributes, next: toNext(names[(index + 1) % count]!) },
    };
    writeFileSync(join(type, 'schema.json'), JSON.stringify(schema));
  }
  mkdirSync(join(folder, 'config'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'large' }));
  writeFileSync(join(folder, 'config', 'server.js'), `module.exports = { host: '127.0.0.1' };\n`);
}
