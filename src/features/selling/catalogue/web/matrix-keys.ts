// The cells of the grid of rates, and where keys lead from them.
import type { KeyboardEvent } from 'react';

export type Cell = { readonly row: number; readonly column: number };

/** The cell that an event came from. */
export function cellOf(target: EventTarget): Cell | undefined {
  if (!(target instanceof HTMLElement)) return undefined;
  const { row, column } = target.dataset;
  return row === undefined || column === undefined ? undefined : { row: Number(row), column: Number(column) };
}

/** Where a key leads from a cell: up and down always, left and right from the ends of the text. */
export function cellAfter(event: KeyboardEvent, { row, column }: Cell): Cell | undefined {
  const input = event.target;
  const [start, end, length] =
    input instanceof HTMLInputElement
      ? [input.selectionStart ?? 0, input.selectionEnd ?? 0, input.value.length]
      : [0, 0, 0];
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  switch (event.key) {
    case 'Enter':
      return { row: row + (event.shiftKey ? -1 : 1), column };
    case 'ArrowUp':
      return { row: row - 1, column };
    case 'ArrowDown':
      return { row: row + 1, column };
    case 'ArrowLeft':
      return !event.shiftKey && start === 0 && (end === 0 || end === length)
        ? { row, column: column - 1 }
        : undefined;
    case 'ArrowRight':
      return !event.shiftKey && end === length && (start === length || start === 0)
        ? { row, column: column + 1 }
        : undefined;
    default:
      return undefined;
  }
}
