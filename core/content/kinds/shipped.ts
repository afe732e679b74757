import { blocks } from './blocks/blocks';
import { boolean } from './boolean';
import { array, json } from './json';
import type { AttributeKind } from './kind';
import { numberKinds } from './numbers';
import { textKinds } from './text';
import { timeKinds } from './times';

/** The scalar kinds that every application has. */
export const shippedKinds: readonly AttributeKind[] = [
  ...textKinds,
  ...numberKinds,
  ...timeKinds,
  boolean,
  json,
  array,
  blocks,
];
