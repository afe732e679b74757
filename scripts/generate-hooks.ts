import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSources } from './checks/sources';
import { hookReference, mayHoldHooks } from './hook-reference';
import { packageRoot } from './package-root';

const sources = readSources(packageRoot, ['core', 'plugins']).filter(({ path }) => mayHoldHooks(path));
writeFileSync(join(packageRoot, 'core', 'HOOKS.md'), hookReference(sources));
