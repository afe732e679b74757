import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { cleanedUp, oneByOne } from '../clean-up';
import { type Candidate, floor, heddle, peerIn, withService } from './candidates';
import { chart } from './chart';
import type { Filled } from './content';
import { createPlace, onCopy, type Place, removePlace } from './databases';
import { refuseUnequalFloor } from './equal-answers';
import { fill } from './fill';
import { runCleanly } from './interruption';
import { withLoader } from './load';
import { type Measurement, type Memory, measureAll, measureMemory } from './measure';
import { prepared } from './prepared';
import { memoriesLine, type StartUp, startUpsLine } from './process-cost';
import { type Scenario, scenarios } from './scenarios';
import type { Running } from './service';
import { type Settings, settingsFrom } from './settings';
import { summarize } from './summary';
import { table } from './table';
import { withCache } from './warm';

/** Half a minute after a minute. */
const ofMemory = { seconds: 60, rest: 30 };

const say = (text: string): void => void process.stderr.write(`${text}\n`);

function candidatesOf({ peer, database }: Settings): Candidate[] {
  const hands = database === 'sqlite' ? [floor] : [];
  return [heddle, ...hands, ...(peer === undefined ? [] : [peerIn(resolve(peer))])];
}

const scenariosOf = ({ cache }: Settings): readonly Scenario[] => (cache ? withCache(scenarios) : scenarios);

interface Found {
  readonly measurements: readonly Measurement[];
  readonly startUps: readonly StartUp[];
  readonly memory: readonly Memory[];
}

async function measured(settings: Settings, places: ReadonlyMap<Candidate, Place>, filled: Filled): Promise<Found> {
  const { rounds, seconds, warmUp, connections, as: callers, only } = settings;
  const chosen = scenariosOf(settings).filter(({ name }) => only?.includes(name) ?? true);
  const measurements: Measurement[] = [];
  const startUps: StartUp[] = [];
  const memory: Memory[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const [candidate, place] of places) {
      say(`round ${round} of ${rounds}: ${candidate.name}`);
      const measure = async (service: Running): Promise<void> => {
        startUps.push({ candidate: candidate.name, milliseconds: service.startUp });
        const effort = { seconds, warmUp, connections, callers, say };
        const all = await withLoader((loader) =>
          measureAll(candidate, service, chosen, filled, { ...effort, loader }, round),
        );
        measurements.push(...all);
      };
      await onCopy(place, (copy) => withService(candidate, copy, measure));
    }
  }
  for (const [candidate, place] of settings.memory ? places : []) {
    say(`memory: ${candidate.name}`);
    await onCopy(place, async (copy) => {
      memory.push(await measureMemory(candidate, copy, scenarios[0]!, filled, ofMemory));
    });
  }
  return { measurements, startUps, memory };
}

function report(settings: Settings, { measurements, startUps, memory }: Found): void {
  const lines = summarize(measurements, scenariosOf(settings));
  console.log(`\n${table(lines)}`);
  console.log(`\n${startUpsLine(startUps)}`);
  if (memory.length > 0) console.log(memoriesLine(memory));
  const figures = { settings, lines, startUps, memory, measurements };
  if (settings.json) writeFileSync(settings.json, `${JSON.stringify(figures, null, 2)}\n`);
  if (!settings.svg) return;
  const title = `Times the requests per second of Strapi 5, ${settings.database}, one process each`;
  const drawn = lines.filter(
    ({ caller, connections }) => caller === settings.as[0] && connections === settings.connections.at(-1),
  );
  writeFileSync(settings.svg, chart(drawn, title));
}

async function main(): Promise<void> {
  const settings = settingsFrom(process.argv.slice(2));
  const candidates = candidatesOf(settings);
  const place = await createPlace(settings.database);
  const places = new Map<Candidate, Place>();
  const run = async (): Promise<void> => {
    say(`filling a database with ${settings.articles} articles`);
    const filled = await fill(place, settings.articles);
    if (candidates.includes(floor)) await refuseUnequalFloor(place, scenarios, filled);
    for (const candidate of candidates) places.set(candidate, await prepared(candidate, place));
    report(settings, await measured(settings, places, filled));
  };
  await cleanedUp(run, () => oneByOne([place, ...places.values()], removePlace));
}

runCleanly(main);
