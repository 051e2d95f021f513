// Which dialogs are open, and what takes a form away: a call that waits for somebody's approval ends what it was sent from.
import { createContext, useEffect, useRef } from 'react';

/** Those that close the open dialogs, the latest last. */
const open: (() => void)[] = [];

/** Says that a dialog is open. @returns what says that it is not any more */
export function dialogOpened(close: () => void): () => void {
  open.push(close);
  return () => {
    const at = open.lastIndexOf(close);
    if (at >= 0) open.splice(at, 1);
  };
}

/** Closes the dialog on top, as its own button would; nothing when none is open. */
export function closeTopDialog(): void {
  open.at(-1)?.();
}

/** Registers a dialog while it is open. `onClose` is left out while an action runs; what it was before still closes the dialog. */
export function useOpenDialog(isOpen: boolean, onClose: (() => void) | undefined): void {
  const close = useRef(onClose);
  useEffect(() => {
    if (onClose) close.current = onClose;
  });
  useEffect(() => (isOpen ? dialogOpened(() => close.current?.()) : undefined), [isOpen]);
}

/** What a form calls when that which it sent waits; undefined on a page, where the form stays. */
export const LeaveForm = createContext<(() => void) | undefined>(undefined);
/** In a dialog, which {@link closeTopDialog} has closed by then. */
export const alreadyLeft = (): void => undefined;
