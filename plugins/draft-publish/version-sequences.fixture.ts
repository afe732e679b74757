import fc from 'fast-check';
import { inVersion } from './model-rows.fixture';
import type { Node, State } from './stored-state.fixture';
import {
  citingSequences,
  type Step,
  type StepSequences,
  stepSequences,
  type VersionChange,
} from './told-steps.fixture';
import { createModel } from './version-model.fixture';
import { createPlayer, type Player } from './version-player.fixture';
import { checkReads } from './version-reads.fixture';
import type { VersionsApp } from './versions-app.fixture';

// For tests: the properties of versions and locales, over random sequences of operations.

/**
 * A list in which the draft goes before the published version where both are neighbours: no answer shows both, so that their order
 * means nothing.
 */
function draftsFirst(keys: readonly string[]): string[] {
  const list = [...keys];
  for (let at = 1; at < list.length; at++) {
    const draft = list[at]!;
    if (draft.endsWith(' draft') && list[at - 1] === inVersion(draft, 'published'))
      [list[at - 1], list[at]] = [draft, list[at - 1]!];
  }
  return list;
}

const mapped = <From, To>(values: Readonly<Record<string, From>>, made: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, made(value)]));

function comparable(state: State): object {
  const node = <Some extends Node>(given: Some): Some => ({
    ...given,
    lists: mapped(given.lists, draftsFirst),
    parts: mapped(given.parts, (parts) => parts.map(node)),
  });
  return Object.fromEntries([...state].map(([key, given]) => [key, node(given)]));
}

async function playAll(app: VersionsApp, steps: readonly Step[]): Promise<{ player: Player; state: State }> {
  const player = createPlayer(app);
  const model = createModel();
  await player.clear();
  for (const step of steps) {
    const expected = model.play(step);
    const answer = await player.play(step);
    expect({ step, answer, isDone: answer === 'done' }).toEqual({ step, answer, isDone: expected });
    const { state, faults } = await player.stored();
    expect(faults).toEqual([]);
    expect(comparable(state)).toEqual(comparable(model.state()));
    if (!model.exists(step.type, step.name)) player.forget(step.type, step.name);
  }
  return { player, state: model.state() };
}

const draftsIn = (state: State): Omit<VersionChange, 'does'>[] =>
  [...state.keys()]
    .map((key) => key.split(' ') as [string, string, string, string])
    .filter(([, , , version]) => version === 'draft')
    .map(([type, name, locale]) => ({ type, name, locale }));

/** All links, with those of components; what all locales have in common follows the last publication, and is left out. */
function linksIn(state: State): object {
  const linked = ({ lists, parts: { facts: _facts, ...parts } }: Node): object => [
    mapped(lists, draftsFirst),
    Object.values(parts).map((held) => held.map(linked)),
  ];
  return Object.fromEntries([...state].map(([key, node]) => [key, linked(node)]));
}

async function checkRestoring(player: Player, state: State): Promise<void> {
  const everything = async (): Promise<object> => linksIn((await player.stored()).state);
  const drafts = [];
  for (const draft of draftsIn(state)) {
    if ((await player.play({ does: 'publish', ...draft })) === 'done') drafts.push(draft);
    // What the draft no longer says could not come back.
    else await player.play({ does: 'unpublish', ...draft });
  }
  // Again, so that each is published with the links to all others.
  for (const draft of drafts) await player.play({ does: 'publish', ...draft });
  const before = await everything();
  for (const draft of drafts) {
    await player.play({ does: 'unpublish', ...draft });
    await player.play({ does: 'publish', ...draft });
    expect([draft, await everything()]).toEqual([draft, before]);
    await player.play({ does: 'publish', ...draft });
    expect([draft, await everything()]).toEqual([draft, before]);
  }
}

const over = (
  numRuns: number,
  check: (steps: Step[]) => Promise<void>,
  among: StepSequences = stepSequences,
): Promise<void> => fc.assert(fc.asyncProperty(among, check), { numRuns });

/** Whatever is done, the tables hold what a simple model says. */
export const followModel = (app: () => VersionsApp, sequences: number): Promise<void> =>
  over(sequences, async (steps) => void (await playAll(app(), steps)));

/** The same where all that is done is about links of one type with itself, from both sides. */
export const followModelOfCiting = (app: () => VersionsApp, sequences: number): Promise<void> =>
  over(sequences, async (steps) => void (await playAll(app(), steps)), citingSequences);

/** Reads show what the tables hold, and no draft in what everyone can see. */
export const showNoDrafts = (app: () => VersionsApp, sequences: number): Promise<void> =>
  over(sequences, async (steps) => {
    const { player, state } = await playAll(app(), steps);
    await checkReads(app(), state, player.nameOf);
  });

/** Unpublishing and publishing again restores every link in both directions; publishing again changes nothing. */
export const restoreLinks = (app: () => VersionsApp, sequences: number): Promise<void> =>
  over(sequences, async (steps) => {
    const { player, state } = await playAll(app(), steps);
    await checkRestoring(player, state);
  });
