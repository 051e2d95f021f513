// Keyboard control of the list, as in mail programs: j and k move, E deletes, Shift+I marks as read, Shift+U
// as unread.
import { useEffect } from 'react';
import { useLayoutStore } from '#platform/web/shell/layout-store.ts';
import { mayBeShortcut } from '#platform/web/shell/shortcuts.ts';

export type InboxKeys = {
  readonly remove: (id: string) => void;
  readonly mark: (id: string, read: boolean) => void;
};

const rowOf = (element: Element | null): HTMLElement | null =>
  element?.closest<HTMLElement>('[data-notification]') ?? null;

/** Rows carry `data-notification` with their id and can take the focus. */
export function useInboxKeys({ remove, mark }: InboxKeys): void {
  const isOn = useLayoutStore((layout) => layout.shortcuts);
  useEffect(() => {
    if (!isOn) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (!mayBeShortcut(event)) return;
      const key = event.key.toLowerCase();
      const row = rowOf(document.activeElement);
      if (key === 'j' || key === 'k') {
        const rows = [...document.querySelectorAll<HTMLElement>('[data-notification]')];
        const at = row ? rows.indexOf(row) : -1;
        const next = rows[row ? at + (key === 'j' ? 1 : -1) : 0];
        if (!next) return;
        event.preventDefault();
        next.focus();
        return;
      }
      const id = row?.dataset['notification'];
      if (id === undefined) return;
      if (key === 'e' && !event.shiftKey) remove(id);
      else if (event.shiftKey && (key === 'i' || key === 'u')) mark(id, key === 'i');
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOn, remove, mark]);
}
