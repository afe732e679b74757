import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { cleanedUp, oneByOne } from '../../clean-up';
import { type Candidate, heddle, peerIn } from '../candidates';
import { type Place, removePlace } from '../databases';
import { runCleanly } from '../interruption';
import { prepared } from '../prepared';
import type { Running } from '../service';
import { grow, lookAt } from './content';
import { measureGrowth, type Sized, type Timing } from './measure';
import { type GrowthSettings, growthSettingsFrom } from './settings';
import { growthTable, summarizeGrowth } from './summary';

const say = (text: string): void => void process.stderr.write(`${text}\n`);

type Grown = ReadonlyMap<number, Place>;

/** Of each size in each round, behind one that reads its files from the disk. */
const startsMeasured = 5;

/** What it takes to start on each size, in turn. */
async function measureStarts(
  candidate: Candidate,
  batch: readonly [number, Place][],
  round: number,
): Promise<Timing[]> {
  const times = new Map<number, number[]>(batch.map(([size]) => [size, []]));
  for (let at = 0; at <= startsMeasured; at += 1)
    for (const [size, place] of batch) {
      const service = await candidate.start(place);
      if (at > 0) times.get(size)!.push(service.startUp);
      await service.stop();
    }
  return batch.map(([size]) => ({
    candidate: candidate.name,
    scenario: 'start-up',
    size,
    round,
    times: times.get(size)!,
  }));
}

/** Heddle runs on all sizes at once, which are asked in turn; two of the peer would not share a folder. */
async function measureRound(
  candidate: Candidate,
  grown: Grown,
  { requests }: GrowthSettings,
  round: number,
): Promise<Timing[]> {
  const batches = candidate === heddle ? [[...grown]] : [...grown].map((each) => [each]);
  const found: Timing[] = [];
  for (const batch of batches) {
    found.push(...(await measureStarts(candidate, batch, round)));
    const running: Running[] = [];
    const measure = async (): Promise<void> => {
      const sized: Sized[] = [];
      for (const [size, place] of batch) {
        const service = await candidate.start(place);
        running.push(service);
        sized.push({ size, service, known: await lookAt(place, size) });
      }
      found.push(...(await measureGrowth(candidate, sized, requests, round)));
    };
    await cleanedUp(measure, () => oneByOne(running, (service) => service.stop()));
  }
  return found;
}

async function main(): Promise<void> {
  const settings = growthSettingsFrom(process.argv.slice(2));
  const { sizes, rounds, peer, database } = settings;
  const others = peer === undefined ? [] : [peerIn(resolve(peer))];
  const places = new Map<Candidate, Map<number, Place>>([heddle, ...others].map((each) => [each, new Map()]));
  const run = async (): Promise<void> => {
    for (const size of sizes) {
      const begun = performance.now();
      const place = await grow(database, size);
      places.get(heddle)!.set(size, place);
      for (const each of others) places.get(each)!.set(size, await prepared(each, place));
      say(`filled a database with ${size} articles in ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
    }
    const timings: Timing[] = [];
    for (let round = 1; round <= rounds; round += 1)
      for (const [candidate, grown] of places) {
        say(`round ${round} of ${rounds}: ${candidate.name}`);
        timings.push(...(await measureRound(candidate, grown, settings, round)));
      }
    const lines = summarizeGrowth(timings, sizes, settings.limit);
    console.log(`\n${growthTable(lines, sizes)}`);
    if (settings.json) writeFileSync(settings.json, `${JSON.stringify({ settings, lines, timings }, null, 2)}\n`);
  };
  const all = (): Place[] => [...places.values()].flatMap((grown) => [...grown.values()]);
  await cleanedUp(run, () => oneByOne(all(), removePlace));
}

runCleanly(main);
