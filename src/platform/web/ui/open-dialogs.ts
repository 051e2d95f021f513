// Tracks open dialogs, so that a call that awaits an approval can close the form that sent it.
import { createContext, useEffect, useLayoutEffect, useRef } from 'react';

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

/** What had the focus last: a button that waits for an answer is disabled meanwhile, and loses it. */
let lastFocused: HTMLElement | undefined;
if (typeof document !== 'undefined')
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) lastFocused = target;
  });

/**
 * Gives the focus back to the button that opened a dialog once its answer had come. Where the focus still is on the button when the
 * dialog opens, the dialog does so by itself.
 */
export function useFocusReturn(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen || document.activeElement !== document.body) return undefined;
    const from = lastFocused;
    // After the dialog is gone; whoever has put the focus elsewhere keeps it there.
    return () =>
      queueMicrotask(() => {
        if (document.activeElement === document.body && from?.isConnected) from.focus();
      });
  }, [isOpen]);
}

/** What a form calls when that which it sent waits; undefined on a page, where the form stays. */
export const LeaveForm = createContext<(() => void) | undefined>(undefined);
/** For a form in a dialog, which {@link closeTopDialog} has closed by then. */
export const alreadyLeft = (): void => undefined;
