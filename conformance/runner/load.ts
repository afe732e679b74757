import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { readJson } from './json-file';
import {
  type CatalogueEntry,
  catalogueFileSchema,
  type Features,
  featureFileSchema,
  type Row,
  rowFileSchema,
  type Scenes,
  sceneFileSchema,
} from './row';

export interface Specification {
  rows: Row[];
  /** Rows that need no content types. */
  smoke: Row[];
  scenes: Scenes;
  /** What a target may declare, and how its absence is seen. */
  features: Partial<Features>;
  catalogue: CatalogueEntry[];
  /** Issues whose catalogue entries must all have a row. */
  closed: number[];
  document: string;
}

export interface Loaded {
  specification: Specification;
  problems: string[];
}

/** The folder of rows, also when this file runs from a build folder, which holds no JSON. */
export function specFolder(from = __dirname): string {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'conformance', 'spec');
    if (existsSync(join(candidate, 'rows'))) return candidate;
  }
  throw new Error(`No conformance/spec folder at or above ${from}. Run from a checkout of the repository.`);
}

/** Reads everything that is readable; what is not becomes a problem, so that the linter can report all at once. */
export function load(folder = specFolder()): Loaded {
  const problems: string[] = [];
  const read = <T>(file: string, schema: z.ZodType<T>): T | undefined => {
    try {
      return readJson(join(folder, file), schema);
    } catch (error) {
      problems.push((error as Error).message);
      return undefined;
    }
  };
  const rowsIn = (file: string): Row[] => {
    const content = read(file, rowFileSchema);
    return content ? content.rows.map((row) => ({ ...row, area: content.area })) : [];
  };
  const specification: Specification = {
    rows: jsonFiles(folder, 'rows').flatMap(rowsIn),
    smoke: rowsIn('smoke.json'),
    scenes: read('scenes.json', sceneFileSchema) ?? {},
    features: read('features.json', featureFileSchema) ?? {},
    catalogue: jsonFiles(folder, 'catalogue').flatMap((file) => {
      const content = read(file, catalogueFileSchema);
      return content ? content.entries.map((entry) => ({ ...entry, section: content.section })) : [];
    }),
    closed: read('closed.json', z.array(z.int())) ?? [],
    document: readFileSync(join(folder, 'SPECIFICATION.md'), 'utf8'),
  };
  return { specification, problems };
}

/** For whoever plays rows rather than lints them. */
export function validSpecification(): Specification {
  const { specification, problems } = load();
  if (problems.length > 0) throw new Error(`The rows are not valid:\n${problems.join('\n')}`);
  return specification;
}

function jsonFiles(folder: string, sub: string): string[] {
  return readdirSync(join(folder, sub))
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => `${sub}/${file}`);
}
