import { heddle } from '../bench/candidates';
import type { Filled } from '../bench/content';
import { createPlace, onCopy, type Place, removePlace } from '../bench/databases';
import { fill } from '../bench/fill';
import { runCleanly } from '../bench/interruption';
import { measureMemory } from '../bench/measure';
import { scenarios } from '../bench/scenarios';
import { cleanedUp } from '../clean-up';

/** So many megabytes a service may take while eight clients ask, and keep afterwards. */
interface Limits {
  readonly underLoad: number;
  readonly afterLoad: number;
}

/** A fifth more than what is usual: what V8 takes for old by mistake comes to more than that. */
const limits: ReadonlyMap<string, Limits> = new Map([
  ['list', { underLoad: 130, afterLoad: 110 }],
  ['populate=*', { underLoad: 130, afterLoad: 115 }],
  ['create', { underLoad: 250, afterLoad: 130 }],
]);

/** What is collected when a service has been idle is so after two looks. */
const effort = { seconds: 20, rest: 22 };

/** When V8 looks for garbage depends on what else the machine does: what is too much is measured again. */
const rounds = 2;

async function check(place: Place, name: string, most: Limits, filled: Filled): Promise<void> {
  const scenario = scenarios.find((each) => each.name === name)!;
  for (let round = 1; round <= rounds; round += 1) {
    const { underLoad, afterLoad, failed } = await onCopy(place, (copy) =>
      measureMemory(heddle, copy, scenario, filled, effort),
    );
    if (failed > 0) throw new Error(`${failed} requests of "${name}" failed`);
    const isGood = underLoad < most.underLoad && afterLoad < most.afterLoad;
    const figures = `${underLoad.toFixed(0)} MB of ${most.underLoad} under load, ${afterLoad.toFixed(0)} MB of ${most.afterLoad} after it`;
    console.log(`${isGood ? 'ok  ' : round < rounds ? 'much' : 'FAIL'} ${name}: ${figures}`);
    if (isGood) return;
  }
  process.exitCode = 1;
}

/** What is slow to notice by speed: garbage that stays until V8 looks for all of it. */
runCleanly(async () => {
  const place = await createPlace('sqlite');
  const run = async (): Promise<void> => {
    const filled = await fill(place, 200);
    for (const [name, most] of limits) await check(place, name, most, filled);
  };
  await cleanedUp(run, () => removePlace(place));
});
