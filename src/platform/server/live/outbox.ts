// The outbox: messages written with the change that caused them, sent at least once after commit.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Ctx } from '../unit-of-work/ctx.ts';
import type { Tables } from '../database/tables.ts';

/** `kind` chooses the sender; `key` makes a message unique for ever (null: no such promise); `dueAt` holds it back until then. */
export type OutboxMessage = {
  readonly kind: string;
  readonly key: string | null;
  readonly payload: unknown;
  readonly dueAt?: Date | undefined;
};
export type StoredMessage = {
  readonly id: bigint;
  readonly kind: string;
  readonly key: string | null;
  readonly payload: unknown;
  readonly attempts: number;
};

/** What sends the messages of one kind. Kinds do not wait for each other. */
export type Sender = {
  /** Sends one message; throws when it could not. Gets the same id and key again on a repeat. */
  readonly send: (message: StoredMessage) => Promise<void>;
  /** How many are on their way at once; each must end within {@link leaseSeconds}. */
  readonly atOnce: number;
  /** Seconds until the next attempt after so many failed ones; undefined parks the message. */
  readonly retryAfter?: (attempts: number) => number | undefined;
};

/** The other side refused for good: another attempt would say the same. */
export class Undeliverable extends Error {
  override readonly name = 'Undeliverable';
}

/** The message's time has not come: it is asked for again after so many seconds, and this was no attempt. */
export class NotNow extends Error {
  override readonly name = 'NotNow';
  readonly seconds: number;

  constructor(seconds: number) {
    super('not now');
    this.seconds = seconds;
  }
}

/** Writes messages in the caller's transaction. A key that was there already is left alone. */
export async function storeOutbox(
  db: Kysely<Tables>,
  messages: readonly OutboxMessage[],
  now: Date,
): Promise<void> {
  await sql`--hot outbox-insert
    insert into outbox (kind, key, payload, created_at, due_at)
    select kind, key, payload::jsonb, ${now}, due_at from unnest(
      ${messages.map((message) => message.kind)}::text[], ${messages.map((message) => message.key)}::text[],
      ${messages.map((message) => JSON.stringify(message.payload))}::text[], ${messages.map((message) => message.dueAt ?? now)}::timestamptz[]) as message (kind, key, payload, due_at)
    on conflict (kind, key) do nothing`.execute(db);
}

/** The database's channel on which live messages reach the brokers. */
export const liveChannel = 'skytally_live';
const sentKeptDays = 14;

/** Forgets messages that were sent {@link sentKeptDays} days ago; their keys have done their work. */
export async function forgetSent(ctx: Ctx): Promise<void> {
  await sql`delete from outbox where sent_at < ${new Date(ctx.now.getTime() - sentKeptDays * 86_400_000)}`.execute(
    ctx.db,
  );
}

const restMs = 40;
const leaseSeconds = 60;
const parkAfterAttempts = 12;
/** 2 s, 4 s, … at most an hour; about two hours in all. */
const doubling = (attempts: number): number | undefined =>
  attempts >= parkAfterAttempts ? undefined : Math.min(3600, 2 ** attempts);

type Options = {
  readonly db: Kysely<Tables>;
  readonly senders: Readonly<Record<string, Sender>>;
  readonly log: Logger;
  readonly clock: Clock;
};

/** Sends what is due, in a loop of its own. `wake` after a commit; it also looks by itself every second. */
export class OutboxSender {
  readonly #options: Options;
  readonly #lanes: ReadonlyMap<string, Lane>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #lastMs = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#lanes = new Map(
      Object.entries(options.senders).map(([kind, sender]) => [kind, new Lane(kind, sender, options)]),
    );
  }

  /** Begins to look for messages. Those of kinds that nothing sends any more are parked. */
  async start(): Promise<void> {
    const { db, senders, clock } = this.#options;
    await sql`update outbox set parked_at = ${clock.now()}, last_error = 'nothing sends this kind' where sent_at is null and parked_at is null and kind <> all(${['live', ...Object.keys(senders)]}::text[])`.execute(
      db,
    );
    this.#timer = setInterval(() => this.wake(), 1000);
    this.#timer.unref();
    this.wake();
  }

  /** Looks now; a call while it is looking makes it look once more. */
  wake(): void {
    if (this.#stopped) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = this.#lookAfterRest()
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'outbox could not be read'))
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
    await Promise.all([...this.#lanes.values()].map((lane) => lane.stop()));
  }

  /** Under a stream of changes it looks a few dozen times a second: what came meanwhile goes together. */
  async #lookAfterRest(): Promise<void> {
    const rest = this.#lastMs + restMs - performance.now();
    if (rest > 0) await sleep(rest);
    this.#lastMs = performance.now();
    const due = await this.#passLive();
    await Promise.all(due.flatMap((kind) => this.#lanes.get(kind)?.look() ?? []));
  }

  /**
   * Hands live messages to the brokers of all consoles and forgets them, in one statement: they say only "look again",
   * so equal ones become one, and nothing is worth keeping of them. Answers the other kinds of which messages are due.
   */
  async #passLive(): Promise<readonly string[]> {
    // Losing this commit would only send them again, so it need not wait for the disk.
    const { rows } = await sql<{ due: string[] }>`--hot outbox-pass-live
      with quick as (select set_config('synchronous_commit', 'off', true)),
      gone as (delete from outbox where id in (select id from outbox where kind = 'live' and sent_at is null order by id limit 5000 for update skip locked) returning payload),
      told as (select pg_notify(${liveChannel}, payload::text) from quick, (select distinct payload from gone) as message)
      select array(select kind from unnest(${[...this.#lanes.keys()]}::text[]) as lane (kind)
        where exists (select 1 from outbox o where o.kind = lane.kind and o.kind <> 'live' and o.sent_at is null and o.parked_at is null and o.due_at <= ${this.#options.clock.now()})) as due
      from (select count(*) from told) as all_told`.execute(this.#options.db);
    return rows[0]?.due ?? [];
  }
}

/** The messages of one kind: as many on their way as its sender takes, so that one slow channel holds up no other. */
class Lane {
  readonly #kind: string;
  readonly #sender: Sender;
  readonly #options: Options;
  readonly #onTheirWay = new Set<Promise<void>>();
  #looking: Promise<void> = Promise.resolve();
  /** Whether the last look left some behind for want of room. */
  #hasMore = false;
  #stopped = false;

  constructor(kind: string, sender: Sender, options: Options) {
    this.#kind = kind;
    this.#sender = sender;
    this.#options = options;
  }

  /** Takes what is due as far as there is room, and does not wait for it. */
  look(): Promise<void> {
    this.#looking = this.#looking
      .then(() => this.#take())
      .catch((error: unknown) =>
        this.#options.log.error({ err: error, kind: this.#kind }, 'outbox could not be read'),
      );
    return this.#looking;
  }

  async #take(): Promise<void> {
    const room = this.#sender.atOnce - this.#onTheirWay.size;
    this.#hasMore = room <= 0;
    if (this.#stopped || room <= 0) return;
    const messages = await this.#lease(room);
    this.#hasMore = messages.length === room;
    for (const message of messages) this.#begin(message);
  }

  #begin(message: StoredMessage): void {
    const sending: Promise<void> = this.#sendOne(message)
      .catch((error: unknown) =>
        this.#options.log.error(
          { err: error, kind: this.#kind },
          'what became of an outbox message could not be kept',
        ),
      )
      .finally(() => {
        this.#onTheirWay.delete(sending);
        if (this.#hasMore) void this.look();
      });
    this.#onTheirWay.add(sending);
  }

  /** Ends after the messages that are on their way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#looking;
    await Promise.all(this.#onTheirWay);
  }

  /** Takes messages so that no other console sends them meanwhile; a lease that its holder lost runs out. */
  async #lease(most: number): Promise<StoredMessage[]> {
    const now = this.#options.clock.now();
    const { rows } = await sql<StoredMessage>`--hot outbox-lease
      update outbox set attempts = attempts + 1, due_at = ${new Date(now.getTime() + leaseSeconds * 1000)}
      where id in (select id from outbox where sent_at is null and parked_at is null and due_at <= ${now} and kind = ${this.#kind} order by due_at, id limit ${most} for update skip locked)
      returning id, kind, key, payload, attempts`.execute(this.#options.db);
    return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  async #sendOne(message: StoredMessage): Promise<void> {
    const { id } = message;
    const { db, clock } = this.#options;
    try {
      await this.#sender.send(message);
      // What was sent is kept by its key alone: mails carry links that let people in.
      await sql`update outbox set sent_at = ${clock.now()}, payload = '{}'::jsonb, last_error = null where id = ${id}`.execute(
        db,
      );
    } catch (error) {
      await this.#keepFailure(message, error);
    }
  }

  async #keepFailure({ id, attempts }: StoredMessage, error: unknown): Promise<void> {
    const { db, clock, log } = this.#options;
    const now = clock.now();
    if (error instanceof NotNow) {
      await sql`update outbox set attempts = attempts - 1, due_at = ${new Date(now.getTime() + error.seconds * 1000)} where id = ${id}`.execute(
        db,
      );
      return;
    }
    const seconds =
      error instanceof Undeliverable ? undefined : (this.#sender.retryAfter ?? doubling)(attempts);
    log.warn(
      { err: error, kind: this.#kind, id: id.toString() },
      seconds === undefined ? 'outbox message is parked' : 'outbox message will be tried again',
    );
    await sql`update outbox set last_error = ${error instanceof Error ? error.message : String(error)}, parked_at = ${seconds === undefined ? now : null}::timestamptz,
        due_at = ${new Date(now.getTime() + (seconds ?? 0) * 1000)} where id = ${id}`.execute(db);
  }
}
