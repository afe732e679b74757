import { randomBytes } from 'node:crypto';
import type { Target } from '../targets/target';
import { type Ledger, openLedger } from './ledger';
import { mirrorId, mirrorRow, reflected } from './mirror';
import { playSteps } from './play';
import { redact } from './redact';
import { type Failure, type RowResult, rowResult } from './result';
import type { Feature, Features, Row, Scenes } from './row';
import { idle, type Selection } from './select';
import { defaultPatience, type Patience } from './send';
import { singleTypeTaken } from './single-type';
import type { Values } from './template';

export interface Session {
  run: string;
  play(row: Row): Promise<RowResult>;
  /** Looks whether a feature that the target declares off is off; once per run, however often it is asked. */
  mirror(feature: Feature): Promise<RowResult>;
  /** Takes away what the run made. Returns what would not go. */
  close(): Promise<string[]>;
}

export interface SessionOptions extends Selection, Partial<Patience> {
  target: Target;
  scenes: Scenes;
  /** How the absence of a feature is seen; only what the target declares off is looked up. */
  features?: Partial<Features>;
  /** Aborting ends what is in play; what it made is still taken away. */
  signal?: AbortSignal | undefined;
}

interface Scenery {
  values: Values;
  failure: Failure | undefined;
}

type Verdict = Pick<RowResult, 'status' | 'reason' | 'failure'>;

export function openSession(options: SessionOptions): Session {
  const { target, scenes } = options;
  const patience: Patience = {
    timeout: options.timeout ?? defaultPatience.timeout,
    patience: options.patience ?? defaultPatience.patience,
    retries: options.retries ?? defaultPatience.retries,
  };
  const { signal } = options;
  const run = `c${Date.now().toString(36)}${randomBytes(3).toString('hex')}`;
  const sceneLedger = openLedger({ target, patience, mark: run });
  const unsettled = new Set<Ledger>([sceneLedger]);
  const built = new Map<string, Promise<Scenery>>();
  const turns = new Map<string, Promise<unknown>>();
  const mirrors = new Map<Feature, Promise<RowResult>>();
  const secrets = new Set([target.token ?? '', ...Object.values(target.tokens ?? {})]);
  let played = 0;

  const build = async (name: string): Promise<Scenery> => {
    const scene = scenes[name];
    if (!scene) throw new Error(`There is no scene "${name}" in scenes.json.`);
    const values: Values = new Map([['run', run]]);
    return { values, failure: await playSteps(scene.steps, values, { target, patience, ledger: sceneLedger, signal }) };
  };

  const scenery = (name: string): Promise<Scenery> => {
    const found = built.get(name) ?? build(name);
    built.set(name, found);
    return found;
  };

  const judge = async (row: Row, values: Values, ledger: Ledger): Promise<Verdict> => {
    const occupied = row.exclusive && (await singleTypeTaken(target, row.exclusive, patience));
    if (occupied) return { status: 'skip', reason: occupied };
    ledger.claimSingle();
    const scene = row.scene ? await scenery(row.scene) : undefined;
    if (scene?.failure)
      return { status: 'fail', reason: `the scene "${row.scene}" could not be made`, failure: scene.failure };
    for (const [name, value] of scene?.values ?? []) values.set(name, value);
    const failure = await playSteps(row.steps, values, { target, patience, ledger, signal });
    return failure ? { status: 'fail', failure } : { status: 'pass' };
  };

  /** There is one document of a single type: rows that write it wait for each other. */
  const inTurn = (row: Row): Promise<RowResult> => {
    if (!row.exclusive) return playNow(row);
    const mine = (turns.get(row.exclusive) ?? Promise.resolve()).then(() => playNow(row));
    turns.set(row.exclusive, mine);
    return mine;
  };

  const rememberSecrets = (row: Row, values: Values) => {
    for (const { request } of row.steps) {
      if (request.as?.startsWith('user:')) secrets.add(String(values.get(request.as.slice('user:'.length)) ?? ''));
    }
  };

  const playNow = async (row: Row): Promise<RowResult> => {
    played += 1;
    // Ends in a letter, so that no row's mark is the beginning of another's.
    const mark = `${run.slice(1)}n${played}x`;
    const ledger = openLedger({ target, patience, mark, single: row.exclusive });
    unsettled.add(ledger);
    const values: Values = new Map([
      ['run', run],
      ['row', mark],
    ]);
    const start = performance.now();
    const verdict = await judge(row, values, ledger).catch(
      (error: Error): Verdict => ({ status: 'error', reason: error.message }),
    );
    rememberSecrets(row, values);
    if ((await ledger.clear()).length === 0) unsettled.delete(ledger);
    const milliseconds = Math.round(performance.now() - start);
    return redact(rowResult(row, verdict.status, { ...verdict, milliseconds }), [...secrets]);
  };

  const mirror = (feature: Feature): Promise<RowResult> => {
    const found =
      mirrors.get(feature) ??
      playNow(mirrorRow(feature, options.features ?? {})).then((result) => reflected(result, feature));
    mirrors.set(feature, found);
    return found;
  };

  return {
    run,
    mirror,
    async play(row) {
      const lazy = idle(row, target, options);
      if (!lazy) return inTurn(row);
      if (!lazy.missing) return rowResult(row, lazy.status, { reason: lazy.reason });
      const { status } = await mirror(lazy.missing);
      const reason = status === 'skip' ? lazy.reason : `see ${mirrorId(lazy.missing)}`;
      return rowResult(row, status, { reason });
    },
    async close() {
      const left: string[] = [];
      for (const ledger of unsettled) left.push(...(await ledger.clear()));
      return left;
    },
  };
}
