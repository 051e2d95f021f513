// Restores the scroll position after Back, Forward and reload, even if the content loads later.

const storageKey = 'scrollPlaces';
const maxPlaces = 50;

type Places = Record<string, number>;

/** Stores and restores this tab's positions from now on. Call once. */
export function restoreScrollPositions(): void {
  const places = stored();
  let isReturning: (() => void) | undefined;
  history.scrollRestoration = 'manual';
  const come = (): void => {
    isReturning?.();
    isReturning = returnTo(places[keyNow()] ?? 0, () => (isReturning = undefined));
  };
  addEventListener('popstate', come);
  const keep = (): void => {
    // While the content is still loading the page is too short, so its position does not count.
    if (!isReturning) places[keyNow()] = scrollY;
  };
  document.addEventListener('scroll', keep, { passive: true });
  // A quick navigation happens before the scroll event of the last frame, so the position is also read on
  // these events.
  for (const leaving of ['click', 'keydown'])
    addEventListener(leaving, keep, { capture: true, passive: true });
  addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem(
        storageKey,
        JSON.stringify(Object.fromEntries(Object.entries(places).slice(-maxPlaces))),
      );
    } catch {
      // Storage is forbidden: after a reload, the page starts at its top.
    }
  });
  if (places[keyNow()] !== undefined) come();
}

/**
 * The key of a history entry. The router sets one for its own entries; an entry from a typed URL uses the
 * load time, because otherwise all such entries would share one position.
 */
function keyNow(): string {
  const state = history.state as { readonly key?: string } | null;
  if (state?.key !== undefined) return state.key;
  const key = `loaded ${performance.timeOrigin}`;
  history.replaceState({ ...state, key }, '');
  return key;
}

/**
 * Scrolls as soon as the page is tall enough; gives up when the user scrolls. Returns the function that stops
 * it.
 */
function returnTo(top: number, onEnd: () => void): () => void {
  const listening = new AbortController();
  const watch = new ResizeObserver(() => attempt());
  const end = (): void => {
    watch.disconnect();
    listening.abort();
    onEnd();
  };
  const attempt = (): void => {
    scrollTo({ top, behavior: 'instant' });
    if (Math.abs(scrollY - top) <= 1) end();
  };
  for (const own of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
    addEventListener(own, end, { signal: listening.signal, passive: true });
  // The router first renders the page.
  watch.observe(document.body);
  return end;
}

function stored(): Places {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Places;
  } catch {
    // Storage is forbidden, or contains another application's value: every page starts at its top.
    return {};
  }
}
