// The outbox: messages written with the change that caused them, sent at least once after commit.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import type { Ctx } from './ctx.ts';
import type { Tables } from './tables.ts';

/** `kind` chooses the sender; `key` makes a message unique for ever (null: no such promise). */
export type OutboxMessage = { readonly kind: string; readonly key: string | null; readonly payload: unknown };
export type StoredMessage = { readonly id: bigint; readonly kind: string; readonly key: string | null; readonly payload: unknown; readonly attempts: number };
/** Sends one message; throws when it could not. Gets the same id and key again on a repeat. */
export type Sender = (message: StoredMessage) => Promise<void>;

/** Writes messages in the caller's transaction. A key that was there already is left alone. */
export async function storeOutbox(db: Kysely<Tables>, messages: readonly OutboxMessage[], now: Date): Promise<void> {
  await sql`--hot outbox-insert
    insert into outbox (kind, key, payload, created_at, due_at)
    select kind, key, payload::jsonb, ${now}, ${now} from unnest(
      ${messages.map((message) => message.kind)}::text[], ${messages.map((message) => message.key)}::text[],
      ${messages.map((message) => JSON.stringify(message.payload))}::text[]) as message (kind, key, payload)
    on conflict (kind, key) do nothing`.execute(db);
}

/** The database's channel on which live messages reach the brokers. */
export const liveChannel = 'skytally_live';
const sentKeptDays = 14;

/** Forgets messages that were sent {@link sentKeptDays} days ago; their keys have done their work. */
export async function forgetSent(ctx: Ctx): Promise<void> {
  await sql`delete from outbox where sent_at < ${new Date(ctx.now.getTime() - sentKeptDays * 86_400_000)}`.execute(ctx.db);
}

const restMs = 40;
const batchSize = 200;
const leaseSeconds = 60;
const parkAfterAttempts = 12;

/** Sends what is due, in a loop of its own. `wake` after a commit; it also looks by itself every second. */
export class OutboxSender {
  readonly #db: Kysely<Tables>;
  readonly #senders: Readonly<Record<string, Sender>>;
  readonly #log: Logger;
  readonly #clock: Clock;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #lastMs = 0;

  constructor(options: { db: Kysely<Tables>; senders: Readonly<Record<string, Sender>>; log: Logger; clock: Clock }) {
    this.#db = options.db;
    this.#senders = options.senders;
    this.#log = options.log;
    this.#clock = options.clock;
  }

  /** Begins to look for messages. */
  start(): void {
    this.#timer = setInterval(() => this.wake(), 1000);
    this.#timer.unref();
    this.wake();
  }

  /** Looks now; a call while it is sending makes it look once more. */
  wake(): void {
    if (this.#stopped) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = this.#drainAfterRest()
      .catch((error: unknown) => this.#log.error({ err: error }, 'outbox could not be read'))
      .finally(() => {
        this.#running = undefined;
        if (this.#again) {
          this.#again = false;
          this.wake();
        }
      });
  }

  /** Ends after the messages that are being sent. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Under a stream of changes it looks a few dozen times a second: what came meanwhile goes together. */
  async #drainAfterRest(): Promise<void> {
    const rest = this.#lastMs + restMs - performance.now();
    if (rest > 0) await sleep(rest);
    this.#lastMs = performance.now();
    await this.#drain();
  }

  async #drain(): Promise<void> {
    await this.#passLive();
    if (Object.keys(this.#senders).length === 0) return;
    for (;;) {
      const messages = await this.#lease();
      if (messages.length === 0) return;
      for (const message of messages) await this.#sendOne(message);
      if (messages.length < batchSize || this.#stopped) return;
    }
  }

  /**
   * Hands live messages to the brokers of all consoles and forgets them, in one statement: they say only "look again",
   * so equal ones become one, and nothing is worth keeping of them.
   */
  async #passLive(): Promise<void> {
    // Losing this commit would only send them again, so it need not wait for the disk.
    await sql`with quick as (select set_config('synchronous_commit', 'off', true)),
      gone as (delete from outbox where id in (select id from outbox where kind = 'live' and sent_at is null order by id limit 5000 for update skip locked) returning payload)
      select pg_notify(${liveChannel}, payload::text) from quick, (select distinct payload from gone) as message`.execute(this.#db);
  }

  /** Takes messages so that no other console sends them meanwhile; a lease that its holder lost runs out. */
  async #lease(): Promise<StoredMessage[]> {
    const now = this.#clock.now();
    const { rows } = await sql<StoredMessage>`update outbox set attempts = attempts + 1, due_at = ${new Date(now.getTime() + leaseSeconds * 1000)}
      where id in (select id from outbox where sent_at is null and parked_at is null and due_at <= ${now} and kind <> 'live' order by id limit ${batchSize} for update skip locked)
      returning id, kind, key, payload, attempts`.execute(this.#db);
    return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  async #sendOne(message: StoredMessage): Promise<void> {
    const { id, kind } = message;
    const sender = this.#senders[kind];
    try {
      if (!sender) throw new Error(`no sender for ${kind}`);
      await sender(message);
      // What was sent is kept by its key alone: mails carry links that let people in.
      await sql`update outbox set sent_at = ${this.#clock.now()}, payload = '{}'::jsonb where id = ${id}`.execute(this.#db);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const now = this.#clock.now();
      this.#log.warn({ err: error, kind, id: id.toString() }, 'outbox message will be tried again');
      await sql`update outbox set last_error = ${reason},
          parked_at = case when attempts >= ${parkAfterAttempts} then ${now}::timestamptz end,
          due_at = ${now}::timestamptz + make_interval(secs => least(3600, power(2, attempts)))
        where id = ${id}`.execute(this.#db);
    }
  }
}
