// Handles choosing an entry: stores it as recent, then opens its page or runs its action.
import { useCallback } from 'react';
import { useFollow } from '../follow.ts';
import type { Entry } from './entries.ts';
import { asRecent } from './palette-entries.ts';
import { remember } from './recent.ts';

/** `before` runs first: it closes the dialog, so that the action runs on the page without it. */
export function useChoose(before: () => void): (entry: Entry, isNewTab: boolean) => void {
  const follow = useFollow();
  return useCallback(
    (entry, isNewTab) => {
      if (entry.id !== 'logout') remember(asRecent(entry));
      before();
      if (entry.to === undefined) return entry.act?.();
      if (isNewTab) open(entry.to, '_blank', 'noopener');
      else follow(entry.to);
    },
    [before, follow],
  );
}
