// When somebody last used the console in this browser, in any tab: a key, the pointer, a sign-in, or a page
// load.
import { nowMs } from '../time/clock.ts';

/** Local-storage key, shared by all tabs: a time in ms. */
const lastUseKey = 'lastUse';
/** Storage is written at most this often, in ms; policies count in minutes. */
const noteEveryMs = 5000;

let own = 0;
let isFollowing = false;

/** The last use in ms; now if unknown, so that a missing entry signs nobody out. */
export function lastUse(): number {
  return Math.max(own, Number(read() ?? 0)) || noteUse();
}

/** Starts tracking use, once for the page. */
export function followUse(): void {
  if (isFollowing) return;
  isFollowing = true;
  const look = (): void => void (nowMs() - own >= noteEveryMs && noteUse());
  for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
    addEventListener(kind, look, { passive: true, capture: true });
}

/** Records use of the console now. @returns the time in ms */
export function noteUse(): number {
  own = nowMs();
  try {
    localStorage.setItem(lastUseKey, String(own));
  } catch {
    // If storage is forbidden, each tab counts separately.
  }
  return own;
}

function read(): string | null {
  try {
    return localStorage.getItem(lastUseKey);
  } catch {
    return null;
  }
}
