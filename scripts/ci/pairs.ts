/** Every name alone, then every two of them. */
export const singlesAndPairs = (names: readonly string[]): string[][] => [
  ...names.map((name) => [name]),
  ...names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other])),
];
