// What figures of a column lack so that their decimal points stand below each other.

/** The decimals at the end of a figure: `.50` of `NT$1,234.50`, nothing of `NT$24`. Undefined: not a figure. */
const decimalsOf = (text: string): string | undefined =>
  /\d(\.\d+)?$/.exec(text) === null ? undefined : (/\.\d+$/.exec(text)?.[0] ?? '');

/** For each cell of `rows` the text that would fill its decimals up to the longest of its column. */
export function missingDigits(
  rows: readonly (readonly string[])[],
): readonly (readonly (string | undefined)[])[] {
  const longest: number[] = [];
  for (const row of rows)
    row.forEach((cell, index) => {
      longest[index] = Math.max(longest[index] ?? 0, decimalsOf(cell)?.length ?? 0);
    });
  return rows.map((row) =>
    row.map((cell, index) => {
      const decimals = decimalsOf(cell);
      const room = longest[index] ?? 0;
      if (decimals === undefined || decimals.length === room) return undefined;
      return (decimals === '' ? '.' : '').padEnd(room - decimals.length, '0');
    }),
  );
}
