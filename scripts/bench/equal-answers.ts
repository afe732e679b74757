import { floor, heddle, withService } from './candidates';
import type { Filled } from './content';
import type { Place } from './databases';
import type { Scenario } from './scenarios';
import type { Running } from './service';

async function textOf(service: Running, scenario: Scenario, filled: Filled): Promise<string> {
  const [request] = await scenario.requests(filled);
  const answer = await fetch(service.url + request!.path, { headers: service.headers('token') });
  return answer.text();
}

/** The place where two texts part, with what stands around it. */
function difference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 80), at + 80);
  return `at ${at}:\n${around(one)}\n${around(other)}`;
}

/** The floor is one only if it answers the same, byte for byte. */
export const refuseUnequalFloor = (place: Place, scenarios: readonly Scenario[], filled: Filled): Promise<void> =>
  withService(heddle, place, (one) =>
    withService(floor, place, async (other) => {
      for (const scenario of scenarios.filter(({ onFloor }) => onFloor)) {
        const [ours, byHand] = await Promise.all([one, other].map((service) => textOf(service, scenario, filled)));
        if (ours !== byHand)
          throw new Error(`The floor answers "${scenario.name}" otherwise, ${difference(byHand!, ours!)}`);
      }
    }),
  );
