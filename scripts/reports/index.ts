import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conform } from '../../conformance/command/conform';
import { readDeviations } from '../../conformance/command/deviations';
import type { ConformOptions } from '../../conformance/command/settings';
import { badgeFor } from '../../conformance/reporters/badge';
import { type Summary, summaryOf, summaryPage } from '../../conformance/reporters/summary';
import type { RunResult } from '../../conformance/runner/result';
import { tokenKinds } from '../../conformance/runner/row';
import { type Candidate, heddle, peerIn, withService } from '../bench/candidates';
import { type Client, createPlace, removePlace } from '../bench/databases';
import { cleanedUp } from '../clean-up';
import { packageRoot } from '../package-root';
import { type ReportFile, reportFiles, settingsFrom } from './settings';

const folder = join(packageRoot, 'conformance', 'reports');
const profile = join(folder, 'peer-profile.json');
const deviations = join(folder, 'peer-deviations.json');

interface Report {
  file: ReportFile;
  candidate: Candidate;
  client: Client;
  options: ConformOptions;
}

const tokens = tokenKinds.map((kind) => `${kind}=${kind}-token`);

const ours = (client: Client, name: string): Report => ({
  file: `heddle-${client}`,
  candidate: heddle,
  client,
  options: { name: `Heddle on ${name}`, exclusive: true, concurrency: 2, tokens },
});

/** Plays all rows against a target that is started on an empty database, and keeps what came of it. */
async function report({ file, candidate, client, options }: Report): Promise<number> {
  const place = await createPlace(client);
  const play = (): Promise<number> =>
    withService(candidate, place, async (running) => {
      const token = running.headers('token')['authorization']?.slice('Bearer '.length);
      const whole = join(place.folder, 'run.json');
      const code = await conform({ ...options, url: running.url, token, reportJson: whole });
      if (code === 2) return code;
      const result = JSON.parse(readFileSync(whole, 'utf8')) as RunResult;
      writeFileSync(join(folder, `${file}.json`), `${JSON.stringify(summaryOf(result), null, 2)}\n`);
      writeFileSync(join(folder, `${file}.svg`), badgeFor(result.target, result));
      return code;
    });
  return cleanedUp(play, () => removePlace(place));
}

function writePage(): void {
  const summaries = reportFiles.map(
    (file) => JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8')) as Summary,
  );
  writeFileSync(join(folder, 'README.md'), summaryPage([...reportFiles], summaries, readDeviations(deviations)));
}

/** `npm run reports [-- [--peer DIR] [--only FILE]]`: what is not played stays as it is known. */
async function main(args: string[]): Promise<void> {
  const { peer, only } = settingsFrom(args);
  // The fixture application makes itself tokens of these keys.
  process.env['CONFORMANCE_TOKENS'] = tokens.join();
  const reports = [ours('sqlite', 'SQLite'), ours('mysql', 'MariaDB'), ours('postgres', 'PostgreSQL')];
  if (peer) reports.push({ file: 'peer', candidate: peerIn(peer), client: 'sqlite', options: { profile } });
  for (const one of reports.filter(({ file }) => file === (only ?? file))) {
    if ((await report(one)) !== 0) process.exitCode = 1;
  }
  writePage();
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
