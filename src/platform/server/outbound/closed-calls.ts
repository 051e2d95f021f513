// Work that may call no other server: whatever a sandbox does runs in here, so that no setting in its database opens a way out.
import { AsyncLocalStorage } from 'node:async_hooks';

const closed = new AsyncLocalStorage<true>();

/** Runs work, with all that follows from it, that may call no other server. */
export const withCallsClosed = <T>(run: () => T): T => closed.run(true, run);

/** Whether the work that asks may call no other server. */
export const areCallsClosed = (): boolean => closed.getStore() === true;
