/** Rows as lines whose cells stand below each other. */
export function columns(rows: readonly (readonly string[])[], indent = ''): string {
  const widths = rows.reduce<number[]>(
    (known, row) => row.map((cell, index) => Math.max(cell.length, known[index] ?? 0)),
    [],
  );
  return rows
    .map(
      (row) =>
        indent +
        row
          .map((cell, index) => cell.padEnd(widths[index]!))
          .join('  ')
          .trimEnd(),
    )
    .join('\n');
}
