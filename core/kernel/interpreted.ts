/**
 * How zod parses what is parsed at a start: else it would write code for each schema, and have it compiled, which takes
 * longer than the few times that the schema is used.
 */
export const interpreted = { jitless: true } as const;
