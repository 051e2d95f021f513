// Decides whom a replica may serve: callers whose own changes it already has.
import { batchedReads } from '../database/cached-reads.ts';
import { maxLagSeconds, type Replica } from '../database/replica.ts';
import { required } from '#kernel/assert.ts';
import { callerOf, type Actor, type App } from './ctx.ts';

/**
 * Batched into one statement for all concurrent requests, and never cached: another console may have handled
 * the latest change.
 */
const lastWrites = batchedReads((app, callers) =>
  required(app.database.replica, 'a replica').lastWrites(callers),
);

/** The replica, if it may serve this actor now. */
export async function fitReplica(app: App, actor: Actor): Promise<Replica | undefined> {
  const { replica } = app.database;
  if (!replica) return undefined;
  // Read-only keys make no changes of their own, and neither does the console itself. Keys that send events
  // are served by the primary, so that sending events need not record its position.
  if (actor.kind === 'system' || (actor.kind === 'apiKey' && actor.scope === 'read'))
    return (await replica.isFitFor(undefined, () => Promise.resolve(null))) ? replica : undefined;
  if (actor.kind !== 'user' || actor.viewing) return undefined;
  // People who have just signed in, registered or accepted an invitation made their last change before they
  // had an id to record it under.
  if (app.clock.now().getTime() - actor.provedAt.getTime() < 2 * maxLagSeconds * 1000) return undefined;
  return (await replica.isFitFor(callerOf(actor), (caller) => lastWrites(app).load(caller)))
    ? replica
    : undefined;
}

/**
 * Returns the result of a call that may change something, after recording the WAL position; also when it
 * fails, since part of it may have been committed.
 */
export async function recordingWrite<T>(app: App, actor: Actor, working: Promise<T>): Promise<T> {
  try {
    return await working;
  } finally {
    if (app.database.replica && actor.kind === 'user') await app.database.replica.noteWrite(callerOf(actor));
  }
}
