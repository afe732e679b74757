import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { specFolder } from '../runner/load';

/** What Strapi 5 wants of each type beside its schema, one line each. */
const factories = [
  ['controllers', 'createCoreController'],
  ['services', 'createCoreService'],
  ['routes', 'createCoreRouter'],
] as const;

/** Copies the fixture content types into a project's folder, where nothing of the same name is. */
export function writeFixtures(project: string): string[] {
  const from = join(dirname(specFolder()), 'fixtures', 'app', 'src');
  const to = join(project, 'src');
  const types = readdirSync(join(from, 'api')).sort();
  const wanted = [
    ...types.map((name) => join('api', name)),
    ...readdirSync(join(from, 'components')).map((name) => join('components', name)),
  ];
  const taken = wanted.filter((path) => existsSync(join(to, path)));
  if (taken.length > 0) throw new Error(`${to} has ${taken.join(', ')} already; nothing was written.`);
  for (const path of wanted) cpSync(join(from, path), join(to, path), { recursive: true });
  for (const name of types) {
    for (const [folder, factory] of factories) {
      const file = join(to, 'api', name, folder, `${name}.js`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `module.exports = require('@strapi/strapi').factories.${factory}('api::${name}.${name}');\n`);
    }
  }
  return types;
}
