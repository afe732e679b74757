import type { Database } from '../../sql';

/** One value of a row that a statement answered. */
export type Value = unknown;

/** A statement with `?` for its values, as the database numbers them. */
export function statement({ dialect }: Database, sql: string): { readonly sql: string } {
  let number = 0;
  return {
    sql: sql.replace(/\?/g, () => {
      number += 1;
      return dialect.placeholder(number);
    }),
  };
}

/** Runs `then` on an answer, whether it is there at once or comes later. */
export const afterwards = <A, B>(answer: A | Promise<A>, then: (answer: A) => B): B | Promise<B> =>
  answer instanceof Promise ? answer.then(then) : then(answer);

export const moment = ({ dialect }: Database, value: Value): number | undefined => {
  const text = dialect.load(value, 'datetime');
  return text === null ? undefined : Date.parse(String(text));
};
