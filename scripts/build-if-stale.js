'use strict';
const { existsSync, readdirSync, statSync, utimesSync } = require('node:fs');
const { join } = require('node:path');

/** Where sources lie that end up in the build. `config` is not among them: applications are read as they are. */
const folders = ['core', 'plugins', 'conformance', 'scripts'];
/** Half of all folders in them, of which nothing ends up in it. */
const apart = [
  'core/testing',
  'plugins/examples',
  'conformance/fixtures',
  'conformance/reports',
  'conformance/spec',
  'scripts/kit/templates',
];
const files = ['tsconfig.json', 'tsconfig.build.json', 'package.json'];

/** A folder's own time tells of files that came or went. Every start of a checkout waits for this: `join` would double it. */
function newestIn(folder, without) {
  return readdirSync(folder, { withFileTypes: true }).reduce((newest, entry) => {
    const { name } = entry;
    const path = `${folder}/${name}`;
    if (entry.isDirectory()) return without.has(path) ? newest : Math.max(newest, newestIn(path, without));
    const isBuilt = name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('.fixture.ts');
    return isBuilt ? Math.max(newest, statSync(path).mtimeMs) : newest;
  }, statSync(folder).mtimeMs);
}

function newestSource(root) {
  const times = files.map((file) => statSync(join(root, file)).mtimeMs);
  const without = new Set(apart.map((folder) => `${root}/${folder}`));
  return Math.max(...times, ...folders.map((folder) => newestIn(`${root}/${folder}`, without)));
}

/** Compiles a checkout whose build is missing or older than its sources. */
function buildIfStale(root) {
  const built = join(root, 'dist', 'scripts', 'cli.js');
  if (existsSync(built) && statSync(built).mtimeMs >= newestSource(root)) return;

  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  if (!existsSync(compiler)) {
    console.error('Heddle is not built, and its compiler is not installed. Run "npm ci" first.');
    process.exit(1);
  }
  const start = new Date();
  const project = join(root, 'tsconfig.build.json');
  const { spawnSync } = require('node:child_process');
  const { status } = spawnSync(process.execPath, [compiler, '-p', project, '--noEmitOnError'], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    console.error('Heddle could not be built.');
    process.exit(1);
  }
  // A source saved while the compiler ran is newer than the build.
  utimesSync(built, start, start);
}

module.exports = { buildIfStale };
