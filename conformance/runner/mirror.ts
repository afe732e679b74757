import type { RowResult } from './result';
import type { Feature, Features, Row } from './row';

export const mirrorId = (feature: Feature): string => `features.${feature}.off`;

/** What is played where a target declares a feature off: its absence must be seen. */
export function mirrorRow(feature: Feature, features: Partial<Features>): Row {
  const described = Object.entries(features).find(([name]) => name === feature)?.[1];
  if (!described) throw new Error(`features.json does not tell how the absence of ${feature} is seen.`);
  return {
    id: mirrorId(feature),
    title: `Declared off, so not there: ${described.about}`,
    area: 'Declared features',
    level: 'MUST',
    rules: [],
    source: 'specification',
    needs: [],
    steps: described.off,
  };
}

/** What is not there is no merit: a mirror that is right is a skip, never a pass. */
export const reflected = (result: RowResult, feature: Feature): RowResult =>
  result.status === 'pass'
    ? { ...result, status: 'skip', reason: `the target declares ${feature} off, and it is not there` }
    : { ...result, reason: result.reason ?? `the target declares ${feature} off, and does not look so` };
