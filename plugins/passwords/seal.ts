import {
  type ContentRegistry,
  type ContentType,
  flatMapped,
  issuesError,
  type Nested,
  Sealed,
  textOf,
  validationError,
} from '../../core';
import { fits, type Passwords } from './hashing';

type Data = Readonly<Record<string, unknown>>;

/** Each is hashed by itself, which takes long by intention, in one line with those of who logs in. */
const mostPasswords = 100;

const isRecord = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Sealed);

const isPart = ({ storage }: Nested): boolean => storage === 'component' || storage === 'zone';

/** Finds out, once for each type, whether there is a password in it or in one of its components. */
function createSearch(registry: () => ContentRegistry) {
  const known = new Map<ContentType, boolean>();

  function search(type: ContentType): boolean {
    const reached = new Set([type]);
    for (const each of reached) {
      if ([...each.attributes.values()].some(({ kind }) => kind.concealed)) return true;
      const uids = flatMapped([...each.nested.values()].filter(isPart), ({ targets }) => targets);
      for (const part of uids.map((uid) => registry().types.get(uid))) if (part) reached.add(part);
    }
    return false;
  }

  return function hasPasswords(type: ContentType): boolean {
    const answer = known.get(type) ?? search(type);
    known.set(type, answer);
    return answer;
  };
}

/** Replaces the passwords of a body by their hashes, at any depth; everything else stays as it is. */
export function createSeal(passwords: Passwords, registry: () => ContentRegistry) {
  const hasPasswords = createSearch(registry);

  async function sealed(password: string, path: readonly string[]): Promise<Sealed> {
    if (!fits(password)) {
      const message = 'Password must be less than 73 bytes';
      throw issuesError([{ path, message, name: 'ValidationError', value: password }]);
    }
    return new Sealed(await passwords.hash(password), password);
  }

  function typeOfPart(nested: Nested, part: Data): ContentType | undefined {
    const uid = nested.storage === 'zone' ? textOf(part['__component']) : nested.targets[0];
    return registry().types.get(uid ?? '');
  }

  async function inPart(nested: Nested, part: unknown, path: readonly string[]): Promise<unknown> {
    if (!isRecord(part)) return part;
    const type = typeOfPart(nested, part);
    return type ? inData(type, part, path) : part;
  }

  /** How many passwords a body gives. */
  function countIn(type: ContentType, data: Data): number {
    if (!hasPasswords(type)) return 0;
    let count = 0;
    for (const [name, value] of Object.entries(data)) {
      const nested = type.nested.get(name);
      if (typeof value === 'string') count += type.attributes.get(name)?.kind.concealed ? 1 : 0;
      else if (nested && isPart(nested))
        for (const part of Array.isArray(value) ? value : [value]) {
          const inside = isRecord(part) ? typeOfPart(nested, part) : undefined;
          if (inside) count += countIn(inside, part as Data);
        }
    }
    return count;
  }

  async function inData(type: ContentType, data: Data, path: readonly string[] = []): Promise<Data> {
    if (!hasPasswords(type)) return data;
    const result: Record<string, unknown> = { ...data };
    for (const [name, value] of Object.entries(data)) {
      const at = [...path, name];
      const nested = type.nested.get(name);
      if (typeof value === 'string' && type.attributes.get(name)?.kind.concealed)
        result[name] = await sealed(value, at);
      else if (nested && isPart(nested) && Array.isArray(value)) {
        const parts: unknown[] = [];
        for (const [index, part] of value.entries()) parts.push(await inPart(nested, part, [...at, String(index)]));
        result[name] = parts;
      } else if (nested && isPart(nested)) result[name] = await inPart(nested, value, at);
    }
    return result;
  }

  return (type: ContentType, data: Data): Promise<Data> | Data => {
    if (!hasPasswords(type)) return data;
    if (countIn(type, data) > mostPasswords)
      throw validationError(`A body may hold ${mostPasswords} passwords at most`);
    return inData(type, data);
  };
}
