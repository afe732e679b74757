import { validationError } from '../../../core';
import type { RoleInput } from './roles';

function textOf(given: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = given[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.length > 255)
    throw validationError(`${name} must be a text of at most 255 characters`);
  if (value.includes('\0')) throw validationError(`${name} must not contain the character U+0000`);
  return value;
}

export function refuseNothing(given: Readonly<Record<string, unknown>>): void {
  if (Object.keys(given).length === 0) throw validationError('Request body cannot be empty');
}

/** What is said of a role that there is, in a body or in arguments. Its type stays. */
export function changedTexts(given: Readonly<Record<string, unknown>>): Partial<RoleInput> {
  const [name, description] = [textOf(given, 'name'), textOf(given, 'description')];
  return { ...(name !== undefined && { name }), ...(description !== undefined && { description }) };
}

/** What is said of a new role. */
export function newTexts(given: Readonly<Record<string, unknown>>): RoleInput {
  refuseNothing(given);
  const { name, ...others } = changedTexts(given);
  if (!name) throw validationError('name is a required field');
  const type = textOf(given, 'type');
  return { name, ...others, ...(type !== undefined && { type }) };
}
