// Whether this page is the portal embedded in another site's page. It stores nothing in the browser: what the
// console stores for signed-in people must not be changed by the portal.
export const isEmbedded = typeof location !== 'undefined' && location.pathname === '/embed';

/** A storage that stores nothing. */
export const nowhere: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
  getItem: () => null,
  setItem: () => undefined,
  removeItem: () => undefined,
};

/** Navigates to another site's page; in the portal outside the frame, because such pages cannot be framed. */
export function leaveFor(url: string): void {
  if (isEmbedded) open(url, '_blank', 'noopener');
  else location.assign(url);
}
