const nothing = (): void => undefined;

/** For knex's option `log`: it would print to the console what its errors say, too. */
export const quietKnex = { debug: nothing, warn: nothing, error: nothing, deprecate: nothing };
