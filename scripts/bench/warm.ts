import type { Scenario } from './scenarios';

/** How many times the peer's requests per second answers that are kept are to reach. */
const targets: Readonly<Record<string, number>> = {
  list: 60,
  'one document': 25,
  'populate=*': 150,
  'deep populate': 150,
};

/** Lets the services that are started keep answers, and says what is to be reached where they are asked again. */
export function withCache(scenarios: readonly Scenario[]): Scenario[] {
  // Read by the configuration of the fixture application.
  process.env['CACHE'] = 'true';
  return scenarios.map((scenario) => {
    const peer = targets[scenario.name];
    return peer === undefined ? scenario : { ...scenario, target: { peer } };
  });
}
