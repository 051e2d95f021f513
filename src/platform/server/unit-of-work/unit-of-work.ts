// The unit of work: one transaction, one clock reading, one actor, one audit row, one retry policy.
import { randomFillSync, randomUUID } from 'node:crypto';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { LRUCache } from 'lru-cache';
import { fromKysely } from 'pg-boss';
import { encodeId, type Id, type IdPrefix } from '#kernel/ids.ts';
import { defaultLanguage, type Language } from '#kernel/language.ts';
import { auditCall } from './audit.ts';
import type { Actor, Ctx, App } from './ctx.ts';
import { storeOutbox } from '../live/outbox.ts';
import { handleEvent } from './event-handler.ts';
import { invalidateCachedReads } from '../database/cached-reads.ts';
import { fitReplica } from './fit-replica.ts';
import { isReadOnlyServer } from '../database/unavailable.ts';
import { codeOf, hasCode } from '../system-error.ts';
import { loadSettings, settingOf } from './settings.ts';
import type { Tables } from '../database/tables.ts';
import { UnitMessages } from './unit-messages.ts';

export type UnitOfWorkOptions = {
  readonly actor: Actor;
  readonly language?: Language;
  readonly requestId?: string;
  /**
   * 'read' runs without a transaction: each statement sees the latest committed state. 'one' reads like that,
   * and writes only parts (see {@link Ctx.part}), in a single statement at its end, which needs no
   * transaction around it. 'snapshot' is a read-only transaction that sees a single state.
   */
  readonly mode?: 'write' | 'read' | 'one' | 'snapshot';
  /**
   * For a 'read': changes that others made in the last seconds may be missing, so that a replica may serve
   * it; the caller's own are included. The same for a 'snapshot', except that a failed one is not retried on
   * the primary.
   */
  readonly mayBeLate?: boolean;
  /** True when the unit writes nothing that cached reads depend on (see `cached-reads.ts`), so that they stay valid. */
  readonly keepsCachedReads?: boolean;
};

// Serialization failure and deadlock: PostgreSQL asks for a retry, and a unit can be repeated as a whole.
const repeatable = ['40001', '40P01'];
const attempts = 4;

/** Thrown when a unit's earlier reads are outdated; ends the unit and runs it again, see {@link unitOfWork}. */
export class ReadAgain extends Error {
  override readonly name = 'ReadAgain';
  readonly code = '40001';
}

/**
 * Runs `run` as one unit of work and returns its result. Either all its changes are committed, or none. Used
 * by HTTP, jobs, the command line and tests. Never call the network inside, because the transaction holds
 * locks meanwhile.
 */
export async function unitOfWork<T>(
  app: App,
  options: UnitOfWorkOptions,
  run: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  if (options.mode === 'read') {
    const replica = options.mayBeLate === true ? await fitReplica(app, options.actor) : undefined;
    if (replica)
      try {
        return await run(makeCtx(app, replica.kysely, options).ctx);
      } catch (error) {
        // Whatever the error, such as a row that the replica does not have yet: the primary decides.
        replica.failed(error);
      }
    return run(makeCtx(app, app.database.kysely, options).ctx);
  }
  if (options.mode === 'snapshot') {
    const replica = options.mayBeLate === true ? await fitReplica(app, options.actor) : undefined;
    try {
      return await (replica ?? app.database).kysely
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((db) => run(makeCtx(app, db, options).ctx));
    } catch (error) {
      // In other modes, "read only" means that the server is no longer the primary.
      if (error instanceof Error && isReadOnlyServer(error.cause))
        throw new Error(`a unit of work that may only read has tried to write: ${error.message}`);
      replica?.failed(error);
      throw error;
    }
  }
  for (let attempt = 1; ; attempt++) {
    try {
      const once = async (db: Kysely<Tables>): Promise<{ result: T; left: number }> => {
        const { ctx, finish } = makeCtx(app, db, options);
        const result = await run(ctx);
        return { result, left: await finish() };
      };
      const { result, left } =
        options.mode === 'one'
          ? await once(app.database.kysely)
          : await app.database.kysely.transaction().execute(once);
      if (left > 0) app.wakeOutbox();
      return result;
    } catch (error) {
      if (attempt >= attempts || !hasCode(error, ...repeatable)) throw error;
      app.log.warn({ attempt, code: codeOf(error) }, 'unit of work is repeated');
    } finally {
      // Also after a failure: the commit may have succeeded although its response was lost.
      if (!options.keepsCachedReads) invalidateCachedReads(app);
    }
  }
}

/** The highest random part used in each recent millisecond in which ids were made. */
const highest = new LRUCache<number, Uint8Array>({ max: 64 });

const supply = Buffer.alloc(4000);
let used = supply.length;

/** Ten random bytes, generated by the thousand, because each call of the generator costs more than the bytes. */
function tenRandomBytes(): Buffer {
  if (used + 10 > supply.length) {
    randomFillSync(supply);
    used = 0;
  }
  used += 10;
  return supply.subarray(used - 10, used);
}

/** 80 random bits, greater than those of `before` where possible. */
function risingRandom(before: Uint8Array | undefined): Uint8Array {
  const fresh = tenRandomBytes();
  const raised = before && raisedBy(before, fresh.readUInt32BE(0) + 1);
  if (raised) return raised;
  const first = Uint8Array.from(fresh);
  // The first id of a millisecond is in the lower half, so that later ones can be greater.
  first[0] = (first[0] ?? 0) >> 1;
  return first;
}

/** A ten-byte number plus a step; undefined on overflow. */
function raisedBy(bytes: Uint8Array, step: number): Uint8Array | undefined {
  const raised = Uint8Array.from(bytes);
  let carry = step;
  for (let index = raised.length - 1; index >= 0 && carry > 0; index--) {
    const sum = (raised[index] ?? 0) + (carry % 256);
    raised[index] = sum % 256;
    carry = Math.floor(carry / 256) + Math.floor(sum / 256);
  }
  return carry === 0 ? raised : undefined;
}

/**
 * Creates the id generator for one clock reading. Each id is greater than the previous one, and greater than
 * those of other generators of the same millisecond in this process, so that ids preserve the order in which
 * they were made.
 */
export function idMaker(now: Date): Ctx['newId'] {
  const ms = now.getTime();
  let own: Uint8Array | undefined;
  return (prefix: IdPrefix) => {
    own = risingRandom(highest.get(ms) ?? own);
    highest.set(ms, own);
    return encodeId(prefix, ms, own) as never;
  };
}

/** An id for a request; request ids of the same millisecond need no order. */
export const requestIdAt = (now: Date): Id<'req'> => encodeId('req', now.getTime(), tenRandomBytes());

function makeCtx(
  app: App,
  db: Kysely<Tables>,
  options: UnitOfWorkOptions,
): { ctx: Ctx; finish: () => Promise<number> } {
  const now = app.clock.now();
  const language = options.language ?? defaultLanguage;
  const requestId = options.requestId ?? randomUUID();
  const messages = new UnitMessages();
  let audited: { action: string; subject: string | undefined; detail: Record<string, unknown> } | undefined;
  const parts = new Map<string, RawBuilder<unknown>>();
  let stored: Promise<ReadonlyMap<string, unknown>> | undefined;
  const newId = idMaker(now);

  const ctx: Ctx = {
    app,
    db,
    actor: options.actor,
    now,
    language,
    requestId,
    newId,
    emit: (event, payload) => handleEvent(ctx, event, payload),
    publish: (topic, news) => messages.publish(topic, news),
    send: (kind, key, payload, dueAt) => messages.send(kind, key, payload, dueAt),
    audit: (action, subject, detail = {}) => {
      audited = {
        action: audited?.action ?? action,
        subject: subject ?? audited?.subject,
        detail: { ...audited?.detail, ...detail },
      };
    },
    part: (name, write) => {
      if (parts.has(name)) throw new Error(`the unit has a part ${name} already`);
      parts.set(name, write);
    },
    setting: async (wanted) => {
      stored ??= loadSettings(db);
      return settingOf(await stored, wanted);
    },
    text: (key, params, wanted = language) => app.translate(wanted, key, params),
    enqueue: async (job, payload, key) => {
      await app.jobs.send(job, payload, fromKysely(db), key);
    },
  };
  const finish = async (): Promise<number> => {
    if (options.mode === 'one' && !messages.isEmpty)
      throw new Error('a unit of one statement leaves no messages');
    const left = messages.all();
    if (left.length > 0) await storeOutbox(db, left, now);
    const audit = audited && auditCall(ctx, audited.action, audited.subject, audited.detail);
    if (parts.size > 0) await writeParts(db, parts, audit);
    else if (audit) await sql`--hot audit-append\n select ${audit}`.execute(db);
    return left.length;
  };
  return { ctx, finish };
}

const statementNames = new Map<string, string>();
/** A short statement name for a combination of parts: PostgreSQL allows 63 characters. */
function statementName(parts: readonly string[]): string {
  const all = parts.join('+');
  const known = statementNames.get(all) ?? `unit-${statementNames.size + 1}`;
  statementNames.set(all, known);
  return known;
}

/**
 * Runs the parts and then the audit row in one statement. The audit row comes last, because it locks the head
 * of the chain until the commit.
 */
async function writeParts(
  db: Kysely<Tables>,
  parts: ReadonlyMap<string, RawBuilder<unknown>>,
  audit: RawBuilder<unknown> | undefined,
): Promise<void> {
  const names = [...parts.keys()];
  const all = [...parts].map(([name, write]) => sql`${sql.ref(name)} as (${write})`);
  // PostgreSQL evaluates the condition before the result; without it the audit row would be written first.
  const done = names.map((name) => sql`(select count(*) from ${sql.ref(name)}) >= 0`);
  await sql`--hot ${sql.raw(statementName([...names, ...(audit ? ['audit'] : [])]))}\n with ${sql.join(all)} select ${audit ?? sql`1`} where ${sql.join(done, sql` and `)}`.execute(
    db,
  );
}

/** Whether an error is a unique constraint violation. */
export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, '23505');
}

/** Whether an error says that other rows still reference a deleted row. */
export function isForeignKeyViolation(error: unknown): boolean {
  return hasCode(error, '23503');
}

/** Whether an error is a restrict violation: the database forbids the change. */
export function isRestrictViolation(error: unknown): boolean {
  return hasCode(error, '23001');
}

/** Takes a lock until the end of this unit, so that units with the same name run one after another. */
export async function lockUntilEnd(ctx: Ctx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(ctx.db);
}
