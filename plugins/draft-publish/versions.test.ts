import { declareVersionTests } from './versions-suite.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

declareVersionTests(40);
