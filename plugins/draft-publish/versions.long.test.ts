import { declareVersionTests } from './versions-suite.fixture';

// The same as versions.test.ts, for a night.

declareVersionTests(10_000);
