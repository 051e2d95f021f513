// Whether this page is the portal inside another site's page. It keeps nothing in the browser: what the console keeps for people who
// are signed in is not the portal's to change.
export const isEmbedded = typeof location !== 'undefined' && location.pathname === '/embed';

/** A storage that forgets at once. */
export const nowhere: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
  getItem: () => null,
  setItem: () => undefined,
  removeItem: () => undefined,
};

/** Leaves for another site's page: in the portal beside the frame, because such pages cannot be shown in one. */
export function leaveFor(url: string): void {
  if (isEmbedded) open(url, '_blank', 'noopener');
  else location.assign(url);
}
