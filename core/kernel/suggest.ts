/** Edits between two names; two letters that changed places count as one. */
function distance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const edits = Math.min(previous[j - 1]! + (same ? 0 : 1), row[j - 1]! + 1, previous[j]! + 1);
      row.push(swapped ? Math.min(edits, beforePrevious[j - 2]! + 1) : edits);
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length]!;
}

const likely = (candidate: string): number => Math.max(1, Math.floor(candidate.length / 3));

/** The known name that is nearest, whatever its case, within so many edits: a third of its length unless said. */
export function nearest(name: string, known: Iterable<string>, most?: number): string | undefined {
  const near = [...known]
    .map((candidate) => ({ candidate, cost: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, cost }) => cost <= (most ?? likely(candidate)))
    .sort((a, b) => a.cost - b.cost)[0];
  return near?.candidate;
}

/** The known name that was probably meant, as the tail of an error message; empty when none is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const near = nearest(name, known);
  return near === undefined ? '' : ` Did you mean "${near}"?`;
}
