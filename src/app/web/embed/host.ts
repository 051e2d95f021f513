// Messages from the portal to the page that embeds it: only to that page's own origin, and never secret.
import { nowMs } from '#platform/web/time/clock.ts';
import type { Paid } from './what-was-paid.ts';

/** A message to the host page. */
export type PortalMessage =
  | { readonly type: 'ready' | 'expired' | 'planChanged' }
  | { readonly type: 'height'; readonly height: number }
  | ({ readonly type: 'paid' } & Paid);

/** The origin of the embedding page, as far as the browser reveals it, if it is one of the link's. */
function parentOrigin(origins: readonly string[]): string | undefined {
  if (parent === window) return undefined;
  const [only] = origins;
  if (origins.length === 1) return only;
  const embedder =
    location.ancestorOrigins?.[0] ??
    (URL.canParse(document.referrer) ? new URL(document.referrer).origin : undefined);
  return origins.find((origin) => origin === embedder);
}

let target: string | undefined;

/** Starts sending messages to the host page. */
export function meetHost(origins: readonly string[]): void {
  target = parentOrigin(origins);
}

/** Sends a message to the host page. The browser drops it if the page has another origin than the link's. */
export function tellHost(message: PortalMessage): void {
  if (target !== undefined) parent.postMessage({ source: 'skytally', at: nowMs(), ...message }, target);
}
