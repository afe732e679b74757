import { type ContentRegistry, type ContentType, chunksOf, flatMapped, type Nested } from '../../../core';
import type { Database } from '../database/database';
import type { Dialect } from '../dialects/dialect';
import type { Layout } from '../layout/layout';
import type { ComponentPlace } from '../layout/places';

/** By zone: the components that stand in it though its schema does not list them, or no longer does. */
export type Strays = ReadonlyMap<Nested, readonly ContentType[]>;

/** How many zones one statement looks at. */
const mostAtOnce = 100;

/** How far the components of a zone are known. */
interface Scan {
  readonly zone: Nested;
  readonly place: ComponentPlace;
  /** The last of those that were found. */
  readonly last: string;
}

function scansOf(registry: ContentRegistry, { types }: Layout): Scan[] {
  return flatMapped(registry.types.values(), (type) =>
    flatMapped(type.nested.values(), (zone) => {
      const place = types[type.uid]?.places[zone.name];
      return zone.storage === 'zone' && place?.in === 'components' ? [{ zone, place, last: '' }] : [];
    }),
  );
}

/** Servers that speak MySQL look up no pair: they look for the zone, and for the next component in it. */
const looksInZone = ({ name }: Dialect): boolean => name === 'mysql';

/** The component that comes next in the index of zones and their components, however many rows each has. */
function nextIn(dialect: Dialect, { place }: Scan, at: number): string {
  const { id, placeholder } = dialect;
  const [zone, component] = [id(place.fieldColumn), id(place.typeColumn)];
  const [ofZone, last] = [placeholder(2 * at + 1), placeholder(2 * at + 2)];
  const pair = `${zone},${component}`;
  // By the pair alone: PostgreSQL might go through an index of components, past those of other attributes.
  const [condition, order] = looksInZone(dialect)
    ? [`${zone}=${ofZone} and ${component}>${last}`, component]
    : [`(${pair})>(${ofZone},${last})`, pair];
  const next = `select ${at} n,${pair} from ${id(place.table)} where ${condition} order by ${order} limit 1`;
  return `select * from (${next}) x${at}`;
}

/** The scans one component further; those that are at an end are left out. */
async function further({ rows, dialect }: Pick<Database, 'rows' | 'dialect'>, all: readonly Scan[]): Promise<Scan[]> {
  const sql = all.map((each, at) => nextIn(dialect, each, at)).join(' union all ');
  const found = await rows(
    { sql },
    flatMapped(all, ({ place, last }) => [place.field, last]),
  );
  return flatMapped(found, ([at, field, component]) => {
    const { zone, place, last } = all[Number(at)]!;
    const isEnd = !looksInZone(dialect) && field !== place.field;
    const next = String(component);
    // What is no text, as SQLite may have it, is found again and again.
    return isEnd || next === last ? [] : [{ zone, place, last: next }];
  });
}

/** Looks for strays: what is there is shown, whoever put it there and whatever became of the schema since. */
export async function findStrays(
  database: Pick<Database, 'rows' | 'dialect'>,
  registry: ContentRegistry,
  layout: Layout,
): Promise<Strays> {
  const strays = new Map<Nested, readonly ContentType[]>();
  for (const chunk of chunksOf(scansOf(registry, layout), mostAtOnce))
    for (let found = await further(database, chunk); found.length > 0; found = await further(database, found))
      for (const { zone, last } of found) {
        const stray = zone.targets.includes(last) ? undefined : registry.types.get(last);
        if (stray) strays.set(zone, [...(strays.get(zone) ?? []), stray]);
      }
  return strays;
}
