// Tables for a terminal.

/** How many terminal columns a text takes: Chinese characters and full-width punctuation take two. */
export function columnsOf(text: string): number {
  return [...text].reduce(
    (sum, letter) =>
      sum +
      (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/.test(
        letter,
      )
        ? 2
        : 1),
    0,
  );
}

/** The lines of a table with aligned columns; columns listed in `right` are right-aligned. */
export function tableLines(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string[] {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => columnsOf(row[column] ?? ''))));
  return all.map((row) =>
    row
      .map((text, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - columnsOf(text));
        return right.includes(column) ? space + text : text + space;
      })
      .join('  ')
      .trimEnd(),
  );
}
