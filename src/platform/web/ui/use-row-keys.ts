// Keyboard navigation in a list: one row is in the tab order, the arrow keys move to the others.
import { useState, type FocusEvent, type KeyboardEvent } from 'react';

export type RowKeys = {
  /** The rows on the page, by their keys. */
  readonly keys: readonly string[];
  readonly onOpen?: ((key: string) => void) | undefined;
  /** Selects or deselects a row; does nothing for a row that cannot be selected. */
  readonly onToggle?: ((key: string) => void) | undefined;
  readonly onSelectAll?: (() => void) | undefined;
};

type Body = HTMLTableSectionElement;

/** The row to which a key moves; undefined for other keys. */
export function nextRow(key: string, from: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return Math.min(from + 1, count - 1);
  if (key === 'ArrowUp') return Math.max(from - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/** Arrow keys, Home and End move; Enter opens; Space selects, Ctrl+A (⌘A) selects the whole page. */
export function useRowKeys({ keys, onOpen, onToggle, onSelectAll }: RowKeys) {
  const [last, setLast] = useState<string>();
  // The row in the tab order: the last focused one, or the first.
  const current = last !== undefined && keys.includes(last) ? last : keys[0];
  const rowOf = (target: EventTarget): HTMLTableRowElement | null =>
    target instanceof Element ? target.closest('tr') : null;
  const onFocus = (event: FocusEvent<Body>): void => {
    // React's events also bubble from a row's menu or dialog, which is elsewhere in the DOM.
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

/** Opens a row: with `onOpen`, or through the link or button in the cell that names it. */
function open(row: HTMLTableRowElement, key: string, onOpen: RowKeys['onOpen']): void {
  if (onOpen) onOpen(key);
  else row.querySelector<HTMLElement>('th a, th button')?.click();
}

/** Whether an element uses arrow keys and letters itself: fields, lists and menus. */
const isBusy = (target: EventTarget): boolean =>
  target instanceof Element &&
  target.closest(
    'input:not([type="checkbox"]), textarea, select, [role="menu"], [role="listbox"], [role="combobox"], [aria-expanded="true"]',
  ) !== null;
