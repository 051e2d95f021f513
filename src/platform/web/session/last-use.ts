// When somebody last used the console in this browser, in any of its tabs: a key, the pointer, a sign-in, or a page that loads.
import { nowMs } from '../time/clock.ts';

/** Local-storage key, shared by all tabs: a moment in ms. */
const lastUseKey = 'lastUse';
/** Storage is written at most so often, in ms; policies count in minutes. */
const noteEveryMs = 5000;

let own = 0;
let isFollowing = false;

/** The last use in ms; now when none is known, so that nobody is signed out by a missing note. */
export function lastUse(): number {
  return Math.max(own, Number(read() ?? 0)) || noteUse();
}

/** Follows what people do from now on, once for the page. */
export function followUse(): void {
  if (isFollowing) return;
  isFollowing = true;
  const look = (): void => void (nowMs() - own >= noteEveryMs && noteUse());
  for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
    addEventListener(kind, look, { passive: true, capture: true });
}

/** Notes that somebody uses the console now. @returns the moment in ms */
export function noteUse(): number {
  own = nowMs();
  try {
    localStorage.setItem(lastUseKey, String(own));
  } catch {
    // Where storage is forbidden each tab counts for itself.
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
