import { writeCases } from './killed.fixture';
import { declareKillTests } from './killed-suite.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1. A few cuts only: killed.long.test.ts makes
// them all.

jest.setTimeout(180_000);

declareKillTests(writeCases.slice(0, 3), (statements) => [Math.ceil(statements / 3), statements]);
