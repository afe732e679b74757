const errors = Buffer.from('"errors":[');

/** Whether a request was answered as it asks; over GraphQL, failures have the status 200, too. */
export const isGoodAnswer = (path: string, status: number, body: () => Buffer): boolean =>
  status >= 200 && status < 300 && !(path.startsWith('/graphql') && body().includes(errors));

/** An answer in one short line. */
export const toldBy = (status: number, body: Buffer): string =>
  `${status} ${body.toString('utf8', 0, 200).replaceAll(/\s+/g, ' ')}`.trim();
