import { writeCases } from './killed.fixture';
import { declareKillTests } from './killed-suite.fixture';

// Every write, killed at every statement.

jest.setTimeout(3_600_000);

declareKillTests(writeCases, (statements) => Array.from({ length: statements }, (_, at) => at + 1));
