// Keyboard navigation through a chart's places, and the zoom window of a long chart.

/** The first and the last visible place. */
export type Window = readonly [first: number, last: number];

/** The place to which an arrow key moves; undefined for other keys. */
export function nextPlace(key: string, active: number | undefined, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowRight' || key === 'ArrowDown')
    return active === undefined ? 0 : Math.min(active + 1, count - 1);
  if (key === 'ArrowLeft' || key === 'ArrowUp')
    return active === undefined ? count - 1 : Math.max(active - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/** A window with fewer bars than this is pointless. */
const fewest = 3;

/**
 * The window after a key: `+` shows half as many places around the active one, `-` twice as many, `0` all.
 * Undefined for other keys.
 */
export function nextWindow(
  key: string,
  [first, last]: Window,
  active: number | undefined,
  count: number,
): Window | undefined {
  if (key === '0') return [0, count - 1];
  const factor = { '+': 0.5, '=': 0.5, '-': 2 }[key];
  if (factor === undefined) return undefined;
  const size = Math.min(Math.max(Math.round((last - first + 1) * factor), fewest), count);
  const middle = active ?? Math.round((first + last) / 2);
  const start = Math.min(Math.max(middle - Math.floor(size / 2), 0), count - size);
  return [start, start + size - 1];
}

/** Moves the window just far enough to show a place. */
export function windowWith(place: number, [first, last]: Window): Window {
  if (place < first) return [place, place + last - first];
  return place > last ? [place - last + first, place] : [first, last];
}
