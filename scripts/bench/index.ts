import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Candidate, floor, heddle, peerIn } from './candidates';
import { chart } from './chart';
import { copyOf, createPlace, type Place, removePlace } from './databases';
import { refuseUnequalFloor } from './equal-answers';
import { fill } from './fill';
import { type Measurement, type Memory, measureAll, measureMemory } from './measure';
import { scenarios } from './scenarios';
import { type Settings, settingsFrom } from './settings';
import { median, summarize } from './summary';
import { table } from './table';

const say = (text: string): void => void process.stderr.write(`${text}\n`);

interface StartUp {
  readonly candidate: Candidate['name'];
  readonly milliseconds: number;
}

function candidatesOf({ peer, database }: Settings): Candidate[] {
  const hands = database === 'sqlite' ? [floor] : [];
  return [heddle, ...hands, ...(peer === undefined ? [] : [peerIn(resolve(peer))])];
}

/** Where a candidate finds the content: on SQLite each has a copy, so that none sees what another wrote. */
function placesOf(candidates: readonly Candidate[], filled: Place): Map<string, Place> {
  return new Map(candidates.map(({ name }) => [name, filled.client === 'sqlite' ? copyOf(filled) : filled]));
}

const startUps = (all: readonly StartUp[]): string =>
  [...new Set(all.map(({ candidate }) => candidate))]
    .map((name) => {
      const times = all.filter(({ candidate }) => candidate === name).map(({ milliseconds }) => milliseconds);
      return `${name} ${median(times).toFixed(0)} ms`;
    })
    .join(', ');

const memories = (all: readonly Memory[]): string =>
  all
    .map(
      ({ candidate, idle, afterLoad }) => `${candidate} ${idle.toFixed(0)} MB, after load ${afterLoad.toFixed(0)} MB`,
    )
    .join('; ');

async function main(): Promise<void> {
  const settings = settingsFrom(process.argv.slice(2));
  const chosen = scenarios.filter(({ name }) => settings.only?.includes(name) ?? true);
  const candidates = candidatesOf(settings);
  const place = await createPlace(settings.database);
  const made: Place[] = [];
  try {
    say(`filling a database with ${settings.articles} articles`);
    const filled = await fill(place, settings.articles);
    if (candidates.includes(floor)) await refuseUnequalFloor(place, chosen, filled);
    const places = placesOf(candidates, place);
    made.push(...places.values());

    const measurements: Measurement[] = [];
    const starts: StartUp[] = [];
    for (let round = 1; round <= settings.rounds; round += 1) {
      for (const candidate of candidates) {
        say(`round ${round} of ${settings.rounds}: ${candidate.name}`);
        const service = await candidate.start(places.get(candidate.name)!);
        try {
          // A first start adds what it misses to the database.
          if (round > 1) starts.push({ candidate: candidate.name, milliseconds: service.startUp });
          const effort = { seconds: settings.seconds, connections: settings.connections, callers: settings.as };
          measurements.push(...(await measureAll(candidate, service, chosen, filled, effort, round)));
        } finally {
          await service.stop();
        }
      }
    }
    const memory: Memory[] = [];
    for (const candidate of settings.memory ? candidates : []) {
      say(`memory: ${candidate.name}`);
      memory.push(await measureMemory(candidate, places.get(candidate.name)!, scenarios[0]!, filled));
    }

    const lines = summarize(measurements, scenarios);
    console.log(`\n${table(lines)}`);
    if (starts.length > 0) console.log(`\nstart-up: ${startUps(starts)}`);
    if (memory.length > 0) console.log(`memory: ${memories(memory)}`);
    const title = `Times the requests per second of Strapi 5, ${settings.database}, one process each`;
    const figures = { settings, lines, startUps: starts, memory, measurements };
    if (settings.json) writeFileSync(settings.json, `${JSON.stringify(figures, null, 2)}\n`);
    if (settings.svg)
      writeFileSync(
        settings.svg,
        chart(
          lines.filter(
            ({ caller, connections }) => caller === settings.as[0] && connections === settings.connections.at(-1),
          ),
          title,
        ),
      );
  } finally {
    for (const each of [place, ...made]) await removePlace(each);
  }
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
