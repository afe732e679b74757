import type { Dialect } from '../../dialects/dialect';

/** A text that is put together of what is known and of what the database finds. */
export interface TextParts {
  known(text: string): void;
  found(expression: string): void;
  /** The expression of the whole. */
  sql(): string;
}

/** Texts that stand next to each other become one literal. */
export function createTextParts({ literal, concat }: Dialect): TextParts {
  const parts: string[] = [];
  let pending = '';
  function settle(): void {
    if (pending !== '') parts.push(literal(pending));
    pending = '';
  }
  return {
    known(text) {
      pending += text;
    },
    found(expression) {
      settle();
      parts.push(expression);
    },
    sql() {
      settle();
      return concat(parts);
    },
  };
}
