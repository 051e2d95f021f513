// The one unit of work: one transaction, one clock reading, one actor, one audit row, one retry policy.
import { randomFillSync, randomUUID } from 'node:crypto';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { fromKysely } from 'pg-boss';
import { encodeId, type Id, type IdPrefix } from '#kernel/ids.ts';
import { defaultLanguage, type Language } from '#kernel/language.ts';
import { auditCall } from './audit.ts';
import type { Actor, Ctx, App } from './ctx.ts';
import { storeOutbox } from '../live/outbox.ts';
import { invalidateCachedReads } from '../database/cached-reads.ts';
import { loadSettings, settingOf } from './settings.ts';
import type { Tables } from '../database/tables.ts';
import { UnitMessages } from './unit-messages.ts';

export type UnitOfWorkOptions = {
  readonly actor: Actor;
  readonly language?: Language;
  readonly requestId?: string;
  /**
   * 'read' runs without a transaction of its own: each statement sees the newest committed state. 'one' reads like that, and all
   * it writes are its parts (see {@link Ctx.part}), in one statement at its end, which needs no transaction around it.
   * 'snapshot' reads in a transaction that sees one moment and can write nothing.
   */
  readonly mode?: 'write' | 'read' | 'one' | 'snapshot';
  /** True when it writes nothing that cached reads answer (see `cached-reads.ts`): they are then kept. */
  readonly keepsCachedReads?: boolean;
};

// Serialization failure and deadlock: PostgreSQL asks for a repeat, and the unit is repeatable as a whole.
const repeatable = new Set(['40001', '40P01']);
const attempts = 4;

/** Ends a unit that finds that what it read before is not so any more, and has it run again; see {@link unitOfWork}. */
export class ReadAgain extends Error {
  override readonly name = 'ReadAgain';
  readonly code = '40001';
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/**
 * Runs `run` as one unit of work and returns its result. Everything it did is committed, or nothing is.
 * HTTP, jobs, the command line and tests all enter here. Never call the network inside.
 */
export async function unitOfWork<T>(
  app: App,
  options: UnitOfWorkOptions,
  run: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  if (options.mode === 'read') return run(makeCtx(app, app.database.kysely, options).ctx);
  if (options.mode === 'snapshot')
    return app.database.kysely
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((db) => run(makeCtx(app, db, options).ctx));
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
      if (attempt >= attempts || !repeatable.has(codeOf(error))) throw error;
      app.log.warn({ attempt, code: codeOf(error) }, 'unit of work is repeated');
    } finally {
      // Also when it failed: it may have been committed all the same.
      if (!options.keepsCachedReads) invalidateCachedReads(app);
    }
  }
}

/** The highest of each of the milliseconds that ids were made of lately. */
const highest = new Map<number, Uint8Array>();
const mostMoments = 64;

const supply = Buffer.alloc(4000);
let used = supply.length;

/** Ten unpredictable bytes: fetched by the thousand, since each fetch costs more than the bytes. */
function tenRandomBytes(): Buffer {
  if (used + 10 > supply.length) {
    randomFillSync(supply);
    used = 0;
  }
  used += 10;
  return supply.subarray(used - 10, used);
}

/** 80 random bits, above those of `before` where they can be. */
function risingRandom(before: Uint8Array | undefined): Uint8Array {
  const fresh = tenRandomBytes();
  const raised = before && raisedBy(before, fresh.readUInt32BE(0) + 1);
  if (raised) return raised;
  const first = Uint8Array.from(fresh);
  // Room to rise: the first of a moment lies in the lower half.
  first[0] = (first[0] ?? 0) >> 1;
  return first;
}

/** A number of ten bytes, raised; undefined when it no longer fits. */
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
 * Makes a maker of ids for one clock reading. Each is above the one before it, whatever others make meanwhile, and above those of
 * other makers of the same millisecond: ids of one moment keep their order.
 */
export function idMaker(now: Date): Ctx['newId'] {
  const ms = now.getTime();
  let own: Uint8Array | undefined;
  return (prefix: IdPrefix) => {
    own = risingRandom(highest.get(ms) ?? own);
    // Put anew, so that the one not used for longest is the first.
    highest.delete(ms);
    highest.set(ms, own);
    const [oldest] = highest.keys();
    if (oldest !== undefined && highest.size > mostMoments) highest.delete(oldest);
    return encodeId(prefix, ms, own) as never;
  };
}

/** An id for a request: those of one moment need no order among themselves. */
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
    emit: async (event, payload) => {
      for (const handler of app.eventHandlers) {
        if (handler.event === event.name) await handler.handle(ctx, payload as never);
      }
    },
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
/** A short name for a combination of parts: PostgreSQL takes 63 letters. */
function statementName(parts: readonly string[]): string {
  const all = parts.join('+');
  const known = statementNames.get(all) ?? `unit-${statementNames.size + 1}`;
  statementNames.set(all, known);
  return known;
}

/** Runs the parts and then, as the chain's head is held until the commit, the audit row: one statement. */
async function writeParts(
  db: Kysely<Tables>,
  parts: ReadonlyMap<string, RawBuilder<unknown>>,
  audit: RawBuilder<unknown> | undefined,
): Promise<void> {
  const names = [...parts.keys()];
  const all = [...parts].map(([name, write]) => sql`${sql.ref(name)} as (${write})`);
  // The condition is read before the result: without it the audit row would come first.
  const done = names.map((name) => sql`(select count(*) from ${sql.ref(name)}) >= 0`);
  await sql`--hot ${sql.raw(statementName([...names, ...(audit ? ['audit'] : [])]))}\n with ${sql.join(all)} select ${audit ?? sql`1`} where ${sql.join(done, sql` and `)}`.execute(
    db,
  );
}

/** Whether an error says that a row is there already. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505';
}

/** Whether an error says that other rows still refer to the one that was to go. */
export function isForeignKeyViolation(error: unknown): boolean {
  return codeOf(error) === '23503';
}

/** Whether an error says that a rule of the database forbids the change. */
export function isRestrictViolation(error: unknown): boolean {
  return codeOf(error) === '23001';
}

/** Takes a lock that holds until the end of this unit, so that units with the same name run one after another. */
export async function lockUntilEnd(ctx: Ctx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(ctx.db);
}
