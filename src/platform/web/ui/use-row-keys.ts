// Moves through a list's rows with the keyboard: one of them takes part in the tab order, arrows lead to the others.
import { useState, type FocusEvent, type KeyboardEvent } from 'react';

export type RowKeys = {
  /** The rows on the page, by their keys. */
  readonly keys: readonly string[];
  readonly onOpen?: ((key: string) => void) | undefined;
  /** Puts a row into the selection or takes it out; says nothing for one that cannot be selected. */
  readonly onToggle?: ((key: string) => void) | undefined;
  readonly onSelectAll?: (() => void) | undefined;
};

type Body = HTMLTableSectionElement;

/** Where a key leads from a row; undefined for other keys. */
export function nextRow(key: string, from: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return Math.min(from + 1, count - 1);
  if (key === 'ArrowUp') return Math.max(from - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/** Arrows, Home and End move; Enter opens; Space selects, Ctrl+A (⌘A) all of the page. */
export function useRowKeys({ keys, onOpen, onToggle, onSelectAll }: RowKeys) {
  const [last, setLast] = useState<string>();
  // The row in the tab order: the one that had the focus last, or the first.
  const current = last !== undefined && keys.includes(last) ? last : keys[0];
  const rowOf = (target: EventTarget): HTMLTableRowElement | null =>
    target instanceof Element ? target.closest('tr') : null;
  const onFocus = (event: FocusEvent<Body>): void => {
    // A menu or dialog of a row is its child in React, but stands elsewhere in the page.
    const row = rowOf(event.target);
    if (row) setLast(keys[row.sectionRowIndex]);
  };
  const onKeyDown = (event: KeyboardEvent<Body>): void => {
    const row = rowOf(event.target);
    const key = keys[row?.sectionRowIndex ?? -1];
    if (!row || key === undefined || isBusy(event.target)) return;
    const to = nextRow(event.key, row.sectionRowIndex, keys.length);
    if (to !== undefined) event.currentTarget.rows[to]?.focus();
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey) && onSelectAll)
      onSelectAll();
    else if (event.target !== row) return;
    else if (event.key === ' ' && onToggle) onToggle(key);
    else if (event.key === 'Enter') open(row, key, onOpen);
    else return;
    event.preventDefault();
  };
  return { current, onFocus, onKeyDown };
}

/** A row without a way of its own to open has it as a link or button in the cell that names it. */
function open(row: HTMLTableRowElement, key: string, onOpen: RowKeys['onOpen']): void {
  if (onOpen) onOpen(key);
  else row.querySelector<HTMLElement>('th a, th button')?.click();
}

/** What takes arrows and letters itself: fields, lists and menus. */
const isBusy = (target: EventTarget): boolean =>
  target instanceof Element &&
  target.closest(
    'input:not([type="checkbox"]), textarea, select, [role="menu"], [role="listbox"], [role="combobox"], [aria-expanded="true"]',
  ) !== null;
