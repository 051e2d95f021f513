// What the portal says to the page that shows it: to that page's own origin alone, and never anything secret.
import { nowMs } from '#platform/web/time/clock.ts';
import type { Paid } from './what-was-paid.ts';

/** What a host page hears. */
export type PortalMessage =
  | { readonly type: 'ready' | 'expired' | 'planChanged' }
  | { readonly type: 'height'; readonly height: number }
  | ({ readonly type: 'paid' } & Paid);

/** The origin of the page that shows this one, as far as the browser says; only one of the link's counts. */
function parentOrigin(origins: readonly string[]): string | undefined {
  if (parent === window) return undefined;
  const [only] = origins;
  if (origins.length === 1) return only;
  const said =
    location.ancestorOrigins?.[0] ??
    (URL.canParse(document.referrer) ? new URL(document.referrer).origin : undefined);
  return origins.find((origin) => origin === said);
}

let target: string | undefined;

/** From now on the host page is told what happens. */
export function meetHost(origins: readonly string[]): void {
  target = parentOrigin(origins);
}

/** Tells the host page. A page of another origin than the link's hears nothing: the browser drops the message. */
export function tellHost(message: PortalMessage): void {
  if (target !== undefined) parent.postMessage({ source: 'skytally', at: nowMs(), ...message }, target);
}
