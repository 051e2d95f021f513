// The names of a list's rows, for the controls of each row: screen readers list them without the row around
// them, so no two may be alike.

type Named<Row> = {
  readonly rowKey: (row: Row) => string;
  readonly rowName: (row: Row) => string;
  readonly rowDetail?: ((row: Row) => string) | undefined;
};

export type RowNames<Row> = {
  readonly rowName: (row: Row) => string;
  /** What tells a row from another of the same name; undefined if there is none. */
  readonly apart: (row: Row) => string | undefined;
};

/** Names rows of one name with what tells them apart, too; other rows keep their names. */
export function distinctNames<Row>(
  rows: readonly Row[],
  { rowKey, rowName, rowDetail = rowKey }: Named<Row>,
): RowNames<Row> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(rowName(row), (counts.get(rowName(row)) ?? 0) + 1);
  const apart = (row: Row) => {
    if ((counts.get(rowName(row)) ?? 0) < 2) return undefined;
    const detail = rowDetail(row);
    const isAlone = rows.every(
      (other) =>
        rowKey(other) === rowKey(row) || rowName(other) !== rowName(row) || rowDetail(other) !== detail,
    );
    return isAlone ? detail : `${detail} ${rowKey(row)}`;
  };
  return {
    apart,
    rowName: (row) => [rowName(row), apart(row)].filter((part) => part !== undefined).join(' '),
  };
}

/**
 * What the button that opens a row says besides the text that it shows: nothing if that is the row's name.
 * Shown parts that are no plain text are taken as the name.
 */
export function unshownName(name: string, shown: string | undefined, apart: string | undefined): string {
  if (shown === undefined) return apart === undefined ? '' : ` ${apart}`;
  return name.startsWith(shown) ? name.slice(shown.length) : ` ${name}`;
}
