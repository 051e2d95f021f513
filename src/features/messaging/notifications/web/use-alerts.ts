// Raises a live alert for every notification that arrives while somebody looks (R-NOTE-03); what was there before is silent.
import { useEffect, useRef } from 'react';
import type { Notification } from '../contract.ts';
import { toast, type ToastKind } from '#platform/web/toasts/toasts.ts';

const kinds: Record<Notification['type'], ToastKind> = {
  payment: 'info',
  security: 'error',
  warning: 'warning',
  info: 'info',
};

/** What has been seen so far: a deleted notification lets an older one move up, which is nothing new. */
export type Seen = { readonly ids: ReadonlySet<string>; readonly newestMs: number };

/** Which of the newest notifications are news, the oldest first, and what is seen now. The first look has no news. */
export function newsAmong(
  seen: Seen | undefined,
  items: readonly Notification[],
): { readonly news: readonly Notification[]; readonly seen: Seen } {
  const times = items.map((item) => item.createdAt.getTime());
  const next: Seen = {
    ids: new Set([...(seen?.ids ?? []), ...items.map((item) => item.id)]),
    newestMs: Math.max(seen?.newestMs ?? 0, ...times),
  };
  if (!seen) return { news: [], seen: next };
  return {
    news: items
      .filter((item) => !item.read && !seen.ids.has(item.id) && item.createdAt.getTime() >= seen.newestMs)
      .toReversed(),
    seen: next,
  };
}

/** `open` is what an alert's button does; it has none where nothing can be opened. */
export function useAlerts(
  items: readonly Notification[] | undefined,
  open: (notification: Notification) => { readonly label: string; readonly onClick: () => void } | undefined,
): void {
  const seen = useRef<Seen>(undefined);
  const opening = useRef(open);
  useEffect(() => {
    opening.current = open;
  });
  useEffect(() => {
    if (!items) return;
    const found = newsAmong(seen.current, items);
    seen.current = found.seen;
    for (const item of found.news) toast.alert(kinds[item.type], item.message, opening.current(item));
  }, [items]);
}
