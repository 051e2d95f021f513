// The console's shortcuts: Ctrl/⌘K for the palette, and single keys, which can be switched off (WCAG 2.1.4).
import { useEffect } from 'react';
import { useLayoutStore } from '#platform/web/shell/layout-store.ts';
import { mayBeShortcut } from '#platform/web/shell/shortcuts.ts';
import { linksOf, menuOf } from '../../menu.ts';
import { useFollow } from '../follow.ts';
import { goKeys } from './go-keys.ts';
import { closePalette, openPalette, openShortcuts, usePalette } from './palette-store.ts';

/** How long after `g` the next key counts. */
const goMs = 1500;

/** Used once, in the shell. `role` is the signed-in user's. */
export function useShellKeys(role: string | undefined): void {
  const isOn = useLayoutStore((layout) => layout.shortcuts);
  const follow = useFollow();
  useEffect(() => {
    if (role === undefined) return undefined;
    let goAt = -goMs;
    const onKeyDown = (event: KeyboardEvent) => {
      if (isPaletteKey(event)) return switchPalette(event);
      // A component that has handled the key comes first.
      if (!isOn || !mayBeShortcut(event)) return;
      const isGoing = event.timeStamp - goAt < goMs;
      goAt = -goMs;
      const key = event.key.toLowerCase();
      if (isGoing) {
        const goal = linksOf(menuOf(role)).find(({ path }) => goKeys[path] === key);
        if (!goal) return;
        event.preventDefault();
        follow(goal.path);
      } else if (key === 'g') goAt = event.timeStamp;
      else if (key === '?') openShortcuts();
      else if (key === '/') {
        event.preventDefault();
        openPalette();
      }
    };
    // On the window, after the listeners on the document: a list's search box handles `/` first.
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [isOn, role, follow]);
}

const isPaletteKey = (event: KeyboardEvent): boolean =>
  event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;

function switchPalette(event: KeyboardEvent): void {
  event.preventDefault();
  if (usePalette.getState().open === 'palette') return closePalette();
  // Another dialog must be answered first.
  if (!document.querySelector('[role="dialog"], [role="alertdialog"]')) openPalette();
}
