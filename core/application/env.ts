import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { ProjectError, problem, refuseIfAny } from '../kernel/problems';

export type Variables = Readonly<Record<string, string | undefined>>;

/** What configuration files get as `env`: `env('PORT', '1337')`, `env.int('PORT', 1337)`, … */
export interface Env {
  (name: string, fallback?: string): string | undefined;
  int(name: string, fallback?: number): number | undefined;
  float(name: string, fallback?: number): number | undefined;
  bool(name: string, fallback?: boolean): boolean | undefined;
  json(name: string, fallback?: unknown): unknown;
  array(name: string, fallback?: string[]): string[] | undefined;
  date(name: string, fallback?: Date): Date | undefined;
  oneOf(name: string, expected: readonly string[], fallback?: string): string | undefined;
}

const nothing = /^\s*(?:#|$)/;
const assignment = /^\s*(?:export\s+)?[\w.-]+\s*=\s*(.*)$/;
const quotes = ['"', "'", '`'];

/** The first line that gives no variable: Node would take it for a part of the next one's name. */
function wrongLine(lines: readonly string[]): number | undefined {
  let open: string | undefined;
  for (const [index, line] of lines.entries()) {
    if (open !== undefined) {
      if (line.includes(open)) open = undefined;
      continue;
    }
    if (nothing.test(line)) continue;
    const value = assignment.exec(line)?.[1];
    if (value === undefined) return index + 1;
    const quote = quotes.find((each) => value.startsWith(each));
    const isOpen = quote !== undefined && !value.includes(quote, 1);
    if (isOpen && lines.slice(index + 1).some((later) => later.includes(quote))) open = quote;
  }
  return undefined;
}

function textOf(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new ProjectError([problem(name, `can't be read: ${(error as Error).message}.`, 'Mend or remove it.')]);
  }
}

/** The variables of the process, over those of `.env`; the process's own are left as they are. */
export function readVariables(appDir: string, own: Variables): Variables {
  const name = own['ENV_PATH'] ?? '.env';
  const file = join(appDir, name);
  if (!existsSync(file)) return Object.freeze({ ...own });
  const text = textOf(file, name);
  const line = wrongLine(text.split(/\r?\n/));
  if (line !== undefined)
    throw new ProjectError([problem(name, `gives no variable in line ${line}.`, 'Write it as in NAME=value.')]);
  return Object.freeze({ ...parseEnv(text), ...own });
}

function refuse(name: string, value: string, wanted: string): never {
  refuseIfAny([
    problem(
      `environment variable ${name}`,
      `is ${JSON.stringify(value)}, which is no ${wanted}.`,
      'Correct or remove it.',
    ),
  ]);
  throw new Error('unreachable');
}

const reader =
  <T>(variables: Variables, wanted: string, read: (text: string) => T | undefined) =>
  (name: string, fallback?: T): T | undefined => {
    const text = variables[name];
    if (text === undefined) return fallback;
    return read(text) ?? refuse(name, text, wanted);
  };

const number = (text: string): number | undefined =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;

const truth: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false, '': false };

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `a, "b"` and `[a, b]` alike. */
const list = (text: string): string[] => {
  const inner = text.trim().replace(/^\[(.*)\]$/s, '$1');
  return inner === '' ? [] : inner.split(',').map((entry) => entry.trim().replace(/^"(.*)"$/s, '$1'));
};

function date(text: string): Date | undefined {
  const value = new Date(text);
  return Number.isNaN(value.getTime()) ? undefined : value;
}

export function createEnv(variables: Variables): Env {
  const oneOf: Env['oneOf'] = (name, expected, fallback) => {
    const value = variables[name] ?? fallback;
    if (value === undefined || expected.includes(value)) return value;
    return refuse(name, value, `one of ${expected.join(', ')}`);
  };
  return Object.assign((name: string, fallback?: string) => variables[name] ?? fallback, {
    int: reader(variables, 'whole number', (text) => {
      const value = number(text);
      return Number.isInteger(value) ? value : undefined;
    }),
    float: reader(variables, 'number', number),
    bool: reader(variables, 'boolean (true or false)', (text) => truth[text.trim().toLowerCase()]),
    json: reader(variables, 'JSON', json),
    array: reader(variables, 'list', list),
    date: reader(variables, 'date', date),
    oneOf,
  });
}
