// Tracks open dialogs, so that a call that awaits an approval can close the form that sent it.
import { createContext, useEffect, useRef } from 'react';

/** The functions that close the open dialogs, the latest last. */
const open: (() => void)[] = [];

/** Registers an open dialog. @returns the function that unregisters it */
export function dialogOpened(close: () => void): () => void {
  open.push(close);
  return () => {
    const at = open.lastIndexOf(close);
    if (at >= 0) open.splice(at, 1);
  };
}

/** Closes the topmost dialog, as its own button would; does nothing when none is open. */
export function closeTopDialog(): void {
  open.at(-1)?.();
}

/**
 * Registers a dialog while it is open. `onClose` is undefined while an action runs; its previous value still
 * closes the dialog.
 */
export function useOpenDialog(isOpen: boolean, onClose: (() => void) | undefined): void {
  const close = useRef(onClose);
  useEffect(() => {
    if (onClose) close.current = onClose;
  });
  useEffect(() => (isOpen ? dialogOpened(() => close.current?.()) : undefined), [isOpen]);
}

/** Called by a form when its call awaits an approval; undefined on a page, where the form stays. */
export const LeaveForm = createContext<(() => void) | undefined>(undefined);
/** For a form in a dialog, which {@link closeTopDialog} has closed by then. */
export const alreadyLeft = (): void => undefined;
