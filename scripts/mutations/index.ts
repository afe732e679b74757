import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { validSpecification } from '../../conformance/runner/load';
import { packageRoot } from '../package-root';
import { verdictOn } from './check';
import { draw } from './draw';

/** How many of the mutations may go unnoticed. */
const mayMiss = 1;
const seed = Number(process.argv[2] ?? 20261120);
const count = Number(process.argv[3] ?? 40);

/** `npm run mutations [-- SEED [COUNT]]`: breaks the service in small ways and looks whether the rows tell. */
async function main(): Promise<void> {
  const specification = validSpecification();
  const sound = await verdictOn(undefined, specification);
  if (sound.noticedBy) throw new Error(`The service is not sound before it is broken: ${sound.noticedBy} fails.`);
  const verdicts = [];
  for (const { rule, mutation } of draw(seed, count)) {
    const verdict = await verdictOn(mutation, specification);
    verdicts.push({ rule, mutation: mutation.id, ...verdict });
    console.log(
      `${verdict.noticedBy ? 'ok  ' : 'MISS'} ${rule}: ${mutation.id}, noticed by ${verdict.noticedBy ?? 'no row'}`,
    );
  }
  const noticed = verdicts.filter(({ noticedBy }) => noticedBy).length;
  console.log(`Seed ${seed}: ${noticed} of ${count} noticed.`);
  if (process.argv.length === 2) {
    const file = join(packageRoot, 'conformance', 'reports', 'mutations.json');
    writeFileSync(file, `${JSON.stringify({ seed, count, noticed, verdicts }, null, 2)}\n`);
  }
  if (noticed < count - mayMiss) process.exitCode = 1;
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
