// Long steps of several callers: one in each turn of the event loop, so that what is small and waits comes between any two of them.
import { setImmediate as nextTurn } from 'node:timers/promises';

let last: Promise<void> = Promise.resolve();

/** Waits for a turn of the event loop in which no other long step begins. Who asks first is first. */
export function ownTurn(): Promise<void> {
  last = last.then(() => nextTurn());
  return last;
}
