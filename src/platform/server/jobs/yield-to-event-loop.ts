// Spreads long steps of concurrent requests over turns of the event loop, one per turn, so that short
// requests are served between any two of them.
import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit from 'p-limit';

const oneByOne = pLimit(1);

/** Waits for a turn of the event loop in which no other long step begins; first come, first served. */
export const yieldToEventLoop = (): Promise<void> => oneByOne(() => nextTurn());
