const nothing = (): void => undefined;

/** Options of knex, which else would print its errors to the console, and say in them what a statement was to write. */
export const quietKnex = {
  log: { debug: nothing, warn: nothing, error: nothing, deprecate: nothing },
  compileSqlOnError: false,
} as const;
