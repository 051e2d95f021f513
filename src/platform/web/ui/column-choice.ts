// The user's choice of a list's columns, and which columns result from it; a stored choice must still work
// after the list has changed.

/** Keys of columns. A column in neither `shown` nor `hidden` follows the list's default. */
export type ColumnChoice = {
  readonly order: readonly string[];
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
};

/**
 * The part of a column on which the choice depends; a list's first column names its rows and cannot be
 * hidden.
 */
type Named = {
  readonly key: string;
  readonly show?: 'always' | 'wide';
  readonly card?: 'title' | 'line' | 'hidden' | 'foot';
};

/** The list's layout: all columns, without the columns for wide windows, or cards. */
export type Room = 'wide' | 'narrow' | 'cards';

/**
 * Whether a column is shown: the first always, the others as the user chose, or else by the layout's default.
 */
export function isShown(
  column: Named,
  lead: string | undefined,
  choice: ColumnChoice | undefined,
  room: Room,
): boolean {
  if (column.key === lead || choice?.shown.includes(column.key)) return true;
  if (choice?.hidden.includes(column.key)) return false;
  return room === 'cards' ? column.card !== 'hidden' : room === 'wide' || column.show !== 'wide';
}

/** All columns in the chosen order; a column added to the list later follows its predecessor in the list. */
export function inOrder<C extends Named>(
  columns: readonly C[],
  choice: ColumnChoice | undefined,
): readonly C[] {
  if (!choice) return columns;
  const placed = choice.order.flatMap((key) => columns.find((column) => column.key === key) ?? []);
  for (const [index, column] of columns.entries()) {
    if (placed.includes(column)) continue;
    const before = columns[index - 1];
    placed.splice(before ? placed.indexOf(before) + 1 : 0, 0, column);
  }
  return placed;
}

/** The choice after the user showed or hid a column. */
export function withShown(choice: ColumnChoice | undefined, key: string, isOn: boolean): ColumnChoice {
  const without = (keys: readonly string[] = []): string[] => keys.filter((one) => one !== key);
  return {
    order: choice?.order ?? [],
    shown: [...without(choice?.shown), ...(isOn ? [key] : [])],
    hidden: [...without(choice?.hidden), ...(isOn ? [] : [key])],
  };
}

/** The choice after a column moved up (-1) or down (1); the first and the last do not move past the ends. */
export function withMoved(
  columns: readonly Named[],
  choice: ColumnChoice | undefined,
  key: string,
  by: -1 | 1,
): ColumnChoice {
  const order = inOrder(columns, choice).map((column) => column.key);
  const from = order.indexOf(key);
  const to = Math.min(Math.max(from + by, 0), order.length - 1);
  order.splice(to, 0, ...order.splice(from, 1));
  return { order, shown: choice?.shown ?? [], hidden: choice?.hidden ?? [] };
}
