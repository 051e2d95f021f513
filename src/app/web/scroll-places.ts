// Going back or forward, and reloading, shows a page where it was left, also when its content arrives later.

const storageKey = 'scrollPlaces';
const mostPlaces = 50;

type Places = Record<string, number>;

/** Keeps the places of this tab from now on. Once. */
export function keepScrollPlaces(): void {
  const places = stored();
  let isReturning: (() => void) | undefined;
  history.scrollRestoration = 'manual';
  const come = (): void => {
    isReturning?.();
    isReturning = returnTo(places[keyNow()] ?? 0, () => (isReturning = undefined));
  };
  addEventListener('popstate', come);
  const keep = (): void => {
    // While the content is still coming the page is shorter than it was.
    if (!isReturning) places[keyNow()] = scrollY;
  };
  document.addEventListener('scroll', keep, { passive: true });
  // Whoever leaves at once does so before the frame in which the scrolling is told of.
  for (const leaving of ['click', 'keydown'])
    addEventListener(leaving, keep, { capture: true, passive: true });
  addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem(
        storageKey,
        JSON.stringify(Object.fromEntries(Object.entries(places).slice(-mostPlaces))),
      );
    } catch {
      // Forbidden storage: a reload begins at the top.
    }
  });
  if (places[keyNow()] !== undefined) come();
}

/** Each entry of the history has a key of its own. The router gives it to those it makes; the one of an address that was typed gets the moment of its loading here, or all of them would be one place. */
function keyNow(): string {
  const state = history.state as { readonly key?: string } | null;
  if (state?.key !== undefined) return state.key;
  const key = `loaded ${performance.timeOrigin}`;
  history.replaceState({ ...state, key }, '');
  return key;
}

/** Scrolls as soon as the page is tall enough; gives up when somebody scrolls by themselves. Returns the way to stop. */
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
  // The router renders the page of the address first.
  watch.observe(document.body);
  return end;
}

function stored(): Places {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Places;
  } catch {
    // Forbidden storage, or something else's: every page begins at its top.
    return {};
  }
}
