// The outbox: messages are stored with the change that caused them and sent at least once after the commit.
import { SpanKind } from '@opentelemetry/api';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import { dayMs } from '#kernel/durations.ts';
import { asError } from '#kernel/errors.ts';
import type { Clock } from '../clock.ts';
import { traced } from '../monitoring/telemetry.ts';
import type { Ctx } from '../unit-of-work/ctx.ts';

/** `kind` selects the sender; `key` makes a message unique forever (null: not unique); `dueAt` delays it until then. */
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

/** Sends the messages of one kind. Kinds do not wait for each other. */
export type Sender = {
  /** Sends one message; rejects on failure. A repeat gets the same id and key. */
  readonly send: (message: StoredMessage) => Promise<void>;
  /** How many messages are sent concurrently; each send must end within {@link leaseSeconds}. */
  readonly atOnce: number;
  /** Seconds until the next attempt after this many failures; undefined marks the message as permanently failed. */
  readonly retryAfter?: (attempts: number) => number | undefined;
  /** Whether messages stay readable after they are sent; normally only their keys are kept. */
  readonly keepsContent?: true;
};

/** The receiver rejected the message permanently, so another attempt would fail too. */
export class Undeliverable extends Error {
  override readonly name = 'Undeliverable';
}

/** The message is not due yet: it is retried after this many seconds, which does not count as an attempt. */
export class PostponeDelivery extends Error {
  override readonly name = 'PostponeDelivery';
  readonly seconds: number;

  constructor(seconds: number) {
    super('not now');
    this.seconds = seconds;
  }
}

/** Nobody should get the message any more: it is deleted, as if it had never been stored. */
export class WithdrawDelivery extends Error {
  override readonly name = 'WithdrawDelivery';
}

/** Stores messages in the caller's transaction. A message with an existing key is ignored. */
export async function storeOutbox(
  db: Kysely<unknown>,
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

/** The PostgreSQL notification channel that carries live messages to the brokers. */
export const liveChannel = 'skytally_live';
const sentRetentionDays = 14;

/**
 * Deletes messages {@link sentRetentionDays} days after they were sent; by then their keys need not be unique
 * any more.
 */
export async function deleteSentMessages(ctx: Ctx): Promise<void> {
  // In a sandbox, sent mails are displayed from the outbox.
  const kept = ctx.app.config.sandboxId === undefined ? [] : ['mail'];
  await sql`delete from outbox where sent_at < ${new Date(ctx.now.getTime() - sentRetentionDays * dayMs)} and kind <> all(${kept}::text[])`.execute(
    ctx.db,
  );
}

const restMs = 40;
const leaseSeconds = 60;
const parkAfterAttempts = 12;
/** 2 s, 4 s, … at most an hour; about two hours in total. */
const doubling = (attempts: number): number | undefined =>
  attempts >= parkAfterAttempts ? undefined : Math.min(3600, 2 ** attempts);

type Options = {
  readonly db: Kysely<unknown>;
  readonly senders: Readonly<Record<string, Sender>>;
  readonly log: Logger;
  readonly clock: Clock;
};

/** Sends due messages in a loop. `wake` is called after a commit; the loop also runs every second. */
export class OutboxSender {
  readonly #options: Options;
  readonly #queues: ReadonlyMap<string, KindQueue>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #lastMs = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#queues = new Map(
      Object.entries(options.senders).map(([kind, sender]) => [kind, new KindQueue(kind, sender, options)]),
    );
  }

  /** Starts the loop. Messages of kinds that no longer have a sender are marked as failed. */
  async start(): Promise<void> {
    const { db, senders, clock } = this.#options;
    await sql`update outbox set parked_at = ${clock.now()}, last_error = 'nothing sends this kind' where sent_at is null and parked_at is null and kind <> all(${['live', ...Object.keys(senders)]}::text[])`.execute(
      db,
    );
    this.#timer = setInterval(() => this.wake(), 1000);
    this.#timer.unref();
    this.wake();
  }

  /** Runs the loop now; a call during a run makes it run once more. */
  wake(): void {
    if (this.#stopped) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = this.#lookAfterPause()
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'outbox could not be read'))
      .finally(() => {
        this.#running = undefined;
        if (this.#again) {
          this.#again = false;
          this.wake();
        }
      });
  }

  /** Resolves when the messages being sent are done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
    await Promise.all([...this.#queues.values()].map((queue) => queue.stop()));
  }

  /**
   * Under a stream of changes the loop runs a few dozen times a second at most, so that messages stored
   * meanwhile are sent together.
   */
  async #lookAfterPause(): Promise<void> {
    const rest = this.#lastMs + restMs - performance.now();
    if (rest > 0) await sleep(rest);
    this.#lastMs = performance.now();
    const due = await this.#sendLive();
    await Promise.all(due.flatMap((kind) => this.#queues.get(kind)?.look() ?? []));
  }

  /**
   * Sends the live messages to the brokers of all console processes and deletes them, in one statement. They
   * only announce that something changed, so duplicates are merged and none is kept. Returns the other kinds
   * that have due messages.
   */
  async #sendLive(): Promise<readonly string[]> {
    // If this commit were lost, the messages would merely be sent again, so it need not wait for the disk.
    const { rows } = await sql<{ due: string[] }>`--hot outbox-pass-live
      with quick as (select set_config('synchronous_commit', 'off', true)),
      gone as (delete from outbox where id in (select id from outbox where kind = 'live' and sent_at is null order by id limit 5000 for update skip locked) returning payload),
      told as (select pg_notify(${liveChannel}, payload::text) from quick, (select distinct payload from gone) as message)
      select array(select kind from unnest(${[...this.#queues.keys()]}::text[]) as lane (kind)
        where exists (select 1 from outbox o where o.kind = lane.kind and o.kind <> 'live' and o.sent_at is null and o.parked_at is null and o.due_at <= ${this.#options.clock.now()})) as due
      from (select count(*) from told) as all_told`.execute(this.#options.db);
    return rows[0]?.due ?? [];
  }
}

/** The messages of one kind, with its own concurrency limit, so that a slow channel does not delay the others. */
class KindQueue {
  readonly #kind: string;
  readonly #sender: Sender;
  readonly #options: Options;
  readonly #inFlight = new Set<Promise<void>>();
  #polling: Promise<void> = Promise.resolve();
  /** Whether the last run left messages behind because the limit was reached. */
  #hasMore = false;
  #stopped = false;

  constructor(kind: string, sender: Sender, options: Options) {
    this.#kind = kind;
    this.#sender = sender;
    this.#options = options;
  }

  /** Leases due messages up to the limit and starts sending them, without waiting for them to finish. */
  look(): Promise<void> {
    this.#polling = this.#polling
      .then(() => this.#take())
      .catch((error: unknown) =>
        this.#options.log.error({ err: error, kind: this.#kind }, 'outbox could not be read'),
      );
    return this.#polling;
  }

  async #take(): Promise<void> {
    const room = this.#sender.atOnce - this.#inFlight.size;
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
        this.#inFlight.delete(sending);
        if (this.#hasMore) void this.look();
      });
    this.#inFlight.add(sending);
  }

  /** Resolves when the messages being sent are done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#polling;
    await Promise.all(this.#inFlight);
  }

  /** Leases messages, so that no other console process sends them meanwhile; the leases of a crashed process expire. */
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
      await traced(`send ${this.#kind}`, { kind: SpanKind.PRODUCER }, () => this.#sender.send(message));
      // Only the key of a sent message is kept, because mails contain links that sign the recipient in.
      await sql`update outbox set sent_at = ${clock.now()}, payload = case when ${this.#sender.keepsContent === true}::boolean then payload else '{}'::jsonb end, last_error = null where id = ${id}`.execute(
        db,
      );
    } catch (error) {
      await this.#storeFailure(message, error);
    }
  }

  async #storeFailure({ id, attempts }: StoredMessage, error: unknown): Promise<void> {
    const { db, clock, log } = this.#options;
    const now = clock.now();
    if (error instanceof PostponeDelivery) {
      await sql`update outbox set attempts = attempts - 1, due_at = ${new Date(now.getTime() + error.seconds * 1000)} where id = ${id}`.execute(
        db,
      );
      return;
    }
    if (error instanceof WithdrawDelivery) {
      log.info({ kind: this.#kind, id: id.toString(), reason: error.message }, 'outbox message is withdrawn');
      await sql`delete from outbox where id = ${id}`.execute(db);
      return;
    }
    const seconds =
      error instanceof Undeliverable ? undefined : (this.#sender.retryAfter ?? doubling)(attempts);
    log.warn(
      { err: error, kind: this.#kind, id: id.toString() },
      seconds === undefined ? 'outbox message is parked' : 'outbox message will be tried again',
    );
    await sql`update outbox set last_error = ${asError(error).message}, parked_at = ${seconds === undefined ? now : null}::timestamptz,
        due_at = ${new Date(now.getTime() + (seconds ?? 0) * 1000)} where id = ${id}`.execute(db);
  }
}
