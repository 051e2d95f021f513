// What somebody chose of a list's columns, and what of it can be shown: lists change, old choices must go on working.

/** Keys of columns. What is in neither `shown` nor `hidden` is as the list has it. */
export type ColumnChoice = {
  readonly order: readonly string[];
  readonly shown: readonly string[];
  readonly hidden: readonly string[];
};

/** The part of a column that a choice looks at; the first of a list names its rows and cannot be hidden. */
type Named = {
  readonly key: string;
  readonly show?: 'always' | 'wide';
  readonly card?: 'title' | 'line' | 'hidden';
};

/** What a list has room for: all columns, those that are not for wide windows only, or cards. */
export type Room = 'wide' | 'narrow' | 'cards';

/** Whether a column is shown: the one that names the row always, others as chosen, and else as there is room. */
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

/** All columns in the chosen order; one that came to the list since then stands after the one it follows there. */
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

/** The choice after a column was shown or hidden. */
export function withShown(choice: ColumnChoice | undefined, key: string, isOn: boolean): ColumnChoice {
  const without = (keys: readonly string[] = []): string[] => keys.filter((one) => one !== key);
  return {
    order: choice?.order ?? [],
    shown: [...without(choice?.shown), ...(isOn ? [key] : [])],
    hidden: [...without(choice?.hidden), ...(isOn ? [] : [key])],
  };
}

/** The choice after a column went one place up (-1) or down (1); at an end it stays. */
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
