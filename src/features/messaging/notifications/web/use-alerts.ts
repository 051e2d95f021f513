// Raises a live alert for every notification that arrives while the page is open (R-NOTE-03); earlier ones
// raise none.
import { useEffect, useRef } from 'react';
import type { Notification } from '../contract.ts';
import { useViewing } from '#platform/web/session/auth-store.ts';
import { toast, type ToastKind } from '#platform/web/toasts/toasts.ts';

const kinds: Record<Notification['type'], ToastKind> = {
  payment: 'info',
  security: 'error',
  warning: 'warning',
  info: 'info',
};

/**
 * Already known notifications: when one is deleted, an older one moves into the list, which must not raise an
 * alert.
 */
export type Seen = { readonly ids: ReadonlySet<string>; readonly newestMs: number };

/**
 * Returns the new ones among the newest notifications, oldest first, and the updated state. The first load
 * has no new ones, and an Admin who views the console as a user gets none: they are not theirs.
 */
export function newsAmong(
  seen: Seen | undefined,
  items: readonly Notification[],
  isViewing: boolean,
): { readonly news: readonly Notification[]; readonly seen: Seen } {
  const times = items.map((item) => item.createdAt.getTime());
  const next: Seen = {
    ids: new Set([...(seen?.ids ?? []), ...items.map((item) => item.id)]),
    newestMs: Math.max(seen?.newestMs ?? 0, ...times),
  };
  if (!seen || isViewing) return { news: [], seen: next };
  return {
    news: items
      .filter((item) => !item.read && !seen.ids.has(item.id) && item.createdAt.getTime() >= seen.newestMs)
      .toReversed(),
    seen: next,
  };
}

/** `open` is the action of an alert's button; without a link there is no button. */
export function useAlerts(
  items: readonly Notification[] | undefined,
  open: (notification: Notification) => { readonly label: string; readonly onClick: () => void } | undefined,
): void {
  const isViewing = useViewing((viewing) => viewing.viewer !== null);
  const seen = useRef<Seen>(undefined);
  const opening = useRef(open);
  useEffect(() => {
    opening.current = open;
  });
  useEffect(() => {
    if (!items) return;
    const found = newsAmong(seen.current, items, isViewing);
    seen.current = found.seen;
    for (const item of found.news) toast.alert(kinds[item.type], item.message, opening.current(item));
  }, [items, isViewing]);
}
