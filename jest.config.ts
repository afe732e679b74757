/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';

const config: Config = {
  testEnvironment: 'node',
  roots: ['<rootDir>/core', '<rootDir>/plugins', '<rootDir>/conformance', '<rootDir>/scripts', '<rootDir>/config'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '\\.long\\.test\\.ts$'],
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
