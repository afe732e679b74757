import { isTest, type Source } from './sources';

/** More lines than this are a sign that two things live together. */
const long = 300;

const linesOf = ({ text }: Source): number => text.split('\n').length - 1;

export interface FileLengths {
  readonly median: number;
  readonly longest: string;
  readonly tooLong: readonly string[];
}

export function fileLengths(sources: readonly Source[]): FileLengths {
  const own = sources.filter(({ path }) => !isTest(path)).sort((a, b) => linesOf(a) - linesOf(b));
  const middle = own[Math.floor(own.length / 2)];
  const last = own.at(-1);
  return {
    median: middle ? linesOf(middle) : 0,
    longest: last ? `${last.path} (${linesOf(last)})` : 'none',
    tooLong: own
      .filter((source) => linesOf(source) > long)
      .map((source) => `${source.path} has ${linesOf(source)} lines.`),
  };
}
