// Tables for a terminal.

/** How many columns a text takes: Chinese letters and full-width punctuation take two. */
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

/** Lines with their columns below each other; numbers, when `right` says so, end at the same place. */
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
