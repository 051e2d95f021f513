// Who may be answered by the replica: whoever finds their own changes there.
import { batchedReads } from '../database/cached-reads.ts';
import { maxLagSeconds, type Replica } from '../database/replica.ts';
import { required } from '#kernel/assert.ts';
import { callerOf, type Actor, type App } from './ctx.ts';

/** Asked for in one statement for all requests of a moment, and never kept: another console may have taken the last change. */
const lastWrites = batchedReads((app, callers) =>
  required(app.database.replica, 'a replica').lastWrites(callers),
);

/** The replica, when it may answer this actor now. */
export async function fitReplica(app: App, actor: Actor): Promise<Replica | undefined> {
  const { replica } = app.database;
  if (!replica) return undefined;
  // Keys that only read have no changes of their own; those that send events are read back by the primary, so that sending costs nothing more.
  // Nor has the console itself, where it asks for what may be late.
  if (actor.kind === 'system' || (actor.kind === 'apiKey' && actor.scope === 'read'))
    return (await replica.isFitFor(undefined, () => Promise.resolve(null))) ? replica : undefined;
  if (actor.kind !== 'user' || actor.viewing) return undefined;
  // Whoever has just signed in, registered or taken an invitation did so before they were somebody whose changes are known.
  if (app.clock.now().getTime() - actor.provedAt.getTime() < 2 * maxLagSeconds * 1000) return undefined;
  return (await replica.isFitFor(callerOf(actor), (caller) => lastWrites(app).load(caller)))
    ? replica
    : undefined;
}

/** The result of a call that may change something, when it is known where: also of one that fails, since a part of it may have been done. */
export async function notingWrite<T>(app: App, actor: Actor, working: Promise<T>): Promise<T> {
  try {
    return await working;
  } finally {
    if (app.database.replica && actor.kind === 'user') await app.database.replica.noteWrite(callerOf(actor));
  }
}
