// When somebody last used the console in this browser, in any of its tabs: a key, the pointer, or a page that came to the front.
import { nowMs } from '../time/clock.ts';

/** Local-storage key, shared by all tabs: a moment in ms. */
const lastUseKey = 'lastUse';
/** Storage is written at most so often, in ms; policies count in minutes. */
const noteEveryMs = 5000;

let own = 0;
let isFollowing = false;

/** The last use in ms; now when none is known, so that nobody is signed out by a missing note. */
export function lastUse(): number {
  return Math.max(own, Number(read() ?? 0)) || note();
}

/** Follows what people do from now on, once for the page. Being asked for it is use: somebody has just signed in or loaded the page. */
export function followUse(): void {
  if (isFollowing) return;
  isFollowing = true;
  note();
  const look = (): void => void (nowMs() - own >= noteEveryMs && note());
  for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
    addEventListener(kind, look, { passive: true, capture: true });
}

function note(): number {
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
