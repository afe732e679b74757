/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';

const config: Config = {
  testEnvironment: 'node',
  roots: ['<rootDir>/core', '<rootDir>/plugins', '<rootDir>/conformance', '<rootDir>/scripts', '<rootDir>/config'],
  testMatch: ['**/*.test.ts'],
  // A server that drops a database on a busy machine takes longer than Jest's own five seconds.
  testTimeout: 30_000,
  // Jest leaves something behind with every file, which slows down all promises of its process. So processes are renewed.
  maxWorkers: '100%',
  workerIdleMemoryLimit: '600MB',
  testPathIgnorePatterns: [
    '/node_modules/',
    '/dist/',
    '/scripts/kit/templates/',
    '/plugins/examples/',
    '\\.long\\.test\\.ts$',
  ],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2023' },
        module: { type: 'commonjs' },
      },
    ],
  },
};

export default config;
