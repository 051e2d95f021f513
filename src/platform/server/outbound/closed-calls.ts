// Blocks calls to other servers: all work of a sandbox runs inside it, so that no setting in the sandbox's
// database can open a way out.
import { AsyncLocalStorage } from 'node:async_hooks';

const closed = new AsyncLocalStorage<true>();

/** Runs `run`, and everything asynchronous that it starts, without permission to call other servers. */
export const withCallsClosed = <T>(run: () => T): T => closed.run(true, run);

/** Whether the current work is blocked from calling other servers. */
export const areCallsClosed = (): boolean => closed.getStore() === true;
