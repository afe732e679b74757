import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Candidate, heddle, peerIn, type Running } from '../candidates';
import { type Place, removePlace } from '../databases';
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
    try {
      const sized: Sized[] = [];
      for (const [size, place] of batch) {
        const service = await candidate.start(place);
        running.push(service);
        sized.push({ size, service, known: await lookAt(place) });
      }
      found.push(...(await measureGrowth(candidate, sized, requests, round)));
    } finally {
      for (const service of running) await service.stop();
    }
  }
  return found;
}

async function main(): Promise<void> {
  const settings = growthSettingsFrom(process.argv.slice(2));
  const { sizes, rounds, peer, database } = settings;
  const candidates = [heddle, ...(peer === undefined ? [] : [peerIn(resolve(peer))])];
  const grown = new Map<number, Place>();
  try {
    for (const size of sizes) {
      const begun = performance.now();
      grown.set(size, await grow(database, size));
      say(`filled a database with ${size} articles in ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
    }
    const timings: Timing[] = [];
    for (let round = 1; round <= rounds; round += 1)
      for (const candidate of candidates) {
        say(`round ${round} of ${rounds}: ${candidate.name}`);
        timings.push(...(await measureRound(candidate, grown, settings, round)));
      }
    const lines = summarizeGrowth(timings, sizes, settings.limit);
    console.log(`\n${growthTable(lines, sizes)}`);
    if (settings.json) writeFileSync(settings.json, `${JSON.stringify({ settings, lines, timings }, null, 2)}\n`);
  } finally {
    for (const place of grown.values()) await removePlace(place);
  }
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
