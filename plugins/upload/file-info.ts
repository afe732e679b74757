import { type Issue, issuesError, validationError, wrongType } from '../../core';

/** What a client may say about a file. */
export interface FileInfo {
  readonly name?: string | null;
  readonly alternativeText?: string | null;
  readonly caption?: string | null;
  readonly focalPoint?: { readonly x: number; readonly y: number } | null;
}

type Given = Readonly<Record<string, unknown>>;

const texts = ['name', 'alternativeText', 'caption'] as const;
const longest: Readonly<Record<(typeof texts)[number], number>> = {
  name: 255,
  alternativeText: 10_000,
  caption: 10_000,
};

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** In the order of keys that all issues have. */
const issue = (path: Issue['path'], { message, ...rest }: Omit<Issue, 'path' | 'name'>): Issue => ({
  path,
  message,
  name: 'ValidationError',
  ...rest,
});

const refused = (type: string, given: unknown): Error =>
  issuesError([issue(['fileInfo'], wrongType('fileInfo', type, null, given))]);

function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    throw validationError('fileInfo is no JSON');
  }
}

function textIn(given: unknown, name: (typeof texts)[number], issues: Issue[]): string | null {
  if (given === null) return null;
  const path = ['fileInfo', name];
  const label = path.join('.');
  if (typeof given === 'object') {
    issues.push(issue(path, wrongType(label, 'string', given)));
    return null;
  }
  const text = String(given);
  if (text.length > longest[name]) {
    const told = { message: `${label} must be at most ${longest[name]} characters`, value: text.slice(0, 100) };
    issues.push(issue(path, told));
  }
  return text;
}

/** A point in percent of width and height; what is none is no point. */
function pointIn(given: unknown, issues: Issue[]): FileInfo['focalPoint'] {
  if (!isObject(given) || typeof given['x'] !== 'number' || typeof given['y'] !== 'number') return null;
  for (const axis of ['x', 'y'] as const) {
    const value = given[axis] as number;
    const path = ['fileInfo', 'focalPoint', axis];
    const beyond = value < 0 ? 'greater than or equal to 0' : value > 100 ? 'less than or equal to 100' : undefined;
    if (beyond) issues.push(issue(path, { message: `${path.join('.')} must be ${beyond}`, value }));
  }
  return { x: given['x'], y: given['y'] };
}

/** Reads what is known of it; everything else that a client says is the service's own affair. */
function infoIn(given: Given): FileInfo {
  const issues: Issue[] = [];
  const info: Record<string, unknown> = {};
  for (const name of texts) if (given[name] !== undefined) info[name] = textIn(given[name], name, issues);
  if (given['focalPoint'] !== undefined) info['focalPoint'] = pointIn(given['focalPoint'], issues);
  if (issues.length > 0) throw issuesError(issues);
  return info;
}

/** One file's information, however often it was sent; a list of one will do for a new file. */
export function readInfo(given: unknown, mayBeListed = true): FileInfo {
  const values = (Array.isArray(given) ? given : given === undefined ? [] : [given]).map(parsed);
  if (values.length === 0) return {};
  const only = values.length === 1 ? values[0] : values;
  const single = mayBeListed && Array.isArray(only) && only.length === 1 ? only[0] : only;
  if (!isObject(single)) throw refused('object', mayBeListed ? single : given);
  return infoIn(single);
}

/** The information of several files, in their order. */
export function readInfos(given: unknown, count: number): FileInfo[] {
  if (count === 1) return [readInfo(given)];
  if (given === undefined) return Array.from({ length: count }, () => ({}));
  const values = (Array.isArray(given) ? given : [given]).map(parsed);
  const [first] = values;
  const list = values.length === 1 ? first : values;
  if (!Array.isArray(list)) throw refused('array', list);
  // Fewer than there are files are no list of theirs.
  if (list.length < 2) throw refused('array', list[0]);
  return Array.from({ length: count }, (_, at) => {
    const item: unknown = list[at];
    if (item === undefined || item === null) return {};
    if (!isObject(item)) throw refused('object', item);
    return infoIn(item);
  });
}
