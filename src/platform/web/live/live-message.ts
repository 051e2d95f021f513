// The state of the live connection, and its messages.

/** 'live': messages arrive. 'waiting': not connected, will try again. 'off': no user is signed in. */
export type LiveState = 'off' | 'waiting' | 'live';

/** Messages carry no data, only what kind of thing has changed. */
export type LiveMessage = { readonly kind: string } & Readonly<Record<string, unknown>>;

/**
 * Whether a page opened `pageAgeMs` ago may show data from before a missed message. It cannot if that message
 * was sent before the page started to request its data.
 */
export const mayBeMissed = ({ ago }: LiveMessage, pageAgeMs: number): boolean =>
  typeof ago !== 'number' || ago <= pageAgeMs;
