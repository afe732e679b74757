import { followModel, followModelOfCiting, restoreLinks, showNoDrafts } from './version-sequences.fixture';
import { versionsApp } from './versions-app.fixture';

/** Declares the property tests of versions and locales; SEQUENCES says how many random sequences are played instead. */
export function declareVersionTests(usually: number): void {
  const sequences = Number(process.env['SEQUENCES'] ?? usually);
  jest.setTimeout(60_000 + sequences * 2_000);

  const app = versionsApp();

  test('whatever is done to versions and locales, the tables hold what a simple model says', () =>
    followModel(app, sequences));

  test('so they do where documents of one type link each other and themselves from both sides', () =>
    followModelOfCiting(app, sequences));

  test('reads and filters through links show what the tables hold, and no drafts to everyone', () =>
    showNoDrafts(app, Math.ceil(sequences / 4)));

  test('unpublishing and publishing again restores every link; publishing is idempotent', () =>
    restoreLinks(app, Math.ceil(sequences / 4)));
}
