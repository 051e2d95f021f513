// Long steps of several requests run one in each turn of the event loop, so that short requests are served between any two of them.
import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit from 'p-limit';

const oneByOne = pLimit(1);

/** Waits for a turn of the event loop in which no other long step begins, in the order of the calls. */
export const yieldToEventLoop = (): Promise<void> => oneByOne(() => nextTurn());
