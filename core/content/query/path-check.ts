import type { HeddleError } from '../../errors';
import type { ContentType } from '../content-type';
import { invalidKey, pathOf } from './keys';
import type { Path } from './populate-paths';
import { type Reader, targetsOf } from './reader';

/** The first mistake in a path of names with dots. */
export function createPathCheck(reader: Reader) {
  const refuse = (name: string, path: string | null): HeddleError => invalidKey(name, pathOf(path, name), 'populate');

  /** A zone goes on in whichever of its components has the rest of the path; that may end in a value. */
  function leads(type: ContentType, [name, ...rest]: Path): boolean {
    const attribute = type.attributes.get(name!);
    return (rest.length === 0 && attribute?.hidden === false) || wrongIn(type, [name!, ...rest], null) === undefined;
  }

  function wrongIn(type: ContentType, [name, ...rest]: Path, path: string | null): HeddleError | undefined {
    if (name === undefined) return undefined;
    const nested = type.nested.get(name);
    if (!nested || nested.hidden) return refuse(name, path);
    const [next] = rest;
    if (next === undefined) return undefined;
    // What is attached is an end of a path.
    if (nested.storage === 'attached') return refuse(name, path);
    const types = targetsOf(reader, nested);
    const inside = pathOf(path, name);
    if (nested.storage === 'zone' || nested.storage === 'morph')
      return types.some((each) => leads(each, rest)) ? undefined : refuse(next, inside);
    // What the caller may not see is not looked into.
    return types[0] && wrongIn(types[0], rest, inside);
  }

  return wrongIn;
}
