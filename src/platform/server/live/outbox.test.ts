import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { movableClock } from '../clock.ts';
import { silentLog } from '../log.ts';
import {
  PostponeDelivery,
  OutboxSender,
  storeOutbox,
  Undeliverable,
  type OutboxMessage,
  type Sender,
  type StoredMessage,
} from './outbox.ts';
import { createTestDatabase } from '#tests/support/database.ts';

const database = await createTestDatabase();
const db = database.kysely;
const start = new Date('2026-11-20T10:00:00Z');
let clock = movableClock(start);
let running: OutboxSender[] = [];

beforeEach(async () => {
  clock = movableClock(start);
  await sql`delete from outbox`.execute(db);
});
afterEach(async () => {
  await Promise.all(running.map((sender) => sender.stop()));
  running = [];
});

const store = (...messages: (Omit<OutboxMessage, 'payload'> & { payload?: unknown })[]): Promise<void> =>
  storeOutbox(
    db,
    messages.map((message) => ({ payload: { secret: 'link' }, ...message })),
    clock.now(),
  );
async function begin(senders: Readonly<Record<string, Sender>>): Promise<OutboxSender> {
  const sender = new OutboxSender({ db, senders, log: silentLog(), clock });
  running.push(sender);
  await sender.start();
  return sender;
}
type Row = {
  readonly attempts: number;
  readonly due_at: Date;
  readonly sent_at: Date | null;
  readonly parked_at: Date | null;
  readonly last_error: string | null;
  readonly payload: unknown;
};
async function rowOf(key: string): Promise<Row | undefined> {
  const { rows } =
    await sql<Row>`select attempts, due_at, sent_at, parked_at, last_error, payload from outbox where key = ${key}`.execute(
      db,
    );
  return rows[0];
}

/** A sender that responds as the test says and records what it sent, with a gate that can be closed. */
function recorder(
  answer: (message: StoredMessage) => Error | undefined = () => undefined,
  atOnce = 4,
): Sender & { given: string[]; most: () => number; open: () => void; shut: () => void } {
  const given: string[] = [];
  let gate = Promise.resolve();
  let open = (): void => undefined;
  let now = 0;
  let most = 0;
  return {
    atOnce,
    given,
    most: () => most,
    shut: () => {
      gate = new Promise((resolve) => {
        open = resolve;
      });
    },
    open: () => open(),
    send: async (message) => {
      given.push(message.key ?? '');
      now += 1;
      most = Math.max(most, now);
      await gate;
      now -= 1;
      const error = answer(message);
      if (error) throw error;
    },
  };
}

describe('the outbox (I8, F15)', () => {
  it('sends each message once, keeps its key and deletes its content', async () => {
    const mail = recorder();
    await store({ kind: 'mail', key: 'a' }, { kind: 'mail', key: 'b' });
    await store({ kind: 'mail', key: 'a' });
    await begin({ mail });
    await expect.poll(() => rowOf('b')).toMatchObject({ sent_at: start, payload: {} });
    await expect.poll(() => rowOf('a')).toMatchObject({ sent_at: start, attempts: 1 });
    await store({ kind: 'mail', key: 'a' });
    expect(mail.given.toSorted()).toEqual(['a', 'b']);
  });

  it('sends nothing of a transaction that was rolled back', async () => {
    const mail = recorder();
    const sender = await begin({ mail });
    const transaction = await db.startTransaction().execute();
    await storeOutbox(transaction, [{ kind: 'mail', key: 'gone', payload: {} }], clock.now());
    sender.wake();
    await transaction.rollback().execute();
    await store({ kind: 'mail', key: 'kept' });
    sender.wake();
    await expect.poll(() => mail.given).toEqual(['kept']);
  });

  it('is not blocked by a hanging channel, which also cannot take more than its share', async () => {
    const mail = recorder(undefined, 3);
    const hook = recorder();
    mail.shut();
    await store(...Array.from({ length: 10 }, (_, index) => ({ kind: 'mail', key: `m${index}` })), {
      kind: 'hook',
      key: 'h',
    });
    const sender = await begin({ mail, hook });
    await expect.poll(() => rowOf('h')).toMatchObject({ sent_at: start });
    sender.wake();
    await expect.poll(() => mail.given.length).toBe(3);
    mail.open();
    await expect.poll(() => mail.given.length).toBe(10);
    expect(mail.most()).toBe(3);
    expect(new Set(mail.given).size).toBe(10);
  });

  it('retries after 2, 4, 8 … seconds with the same id, and gives up after twelve attempts', async () => {
    const ids = new Set<bigint>();
    const mail = recorder((message) => {
      ids.add(message.id);
      return new Error('550 never heard of them');
    });
    await store({ kind: 'mail', key: 'bad' });
    const sender = await begin({ mail });
    for (let attempt = 1; attempt <= 12; attempt++) {
      const now = clock.now();
      const dueAt = new Date(now.getTime() + (attempt < 12 ? Math.min(3600, 2 ** attempt) * 1000 : 0));
      // The attempt is counted when it begins, while the error is still the previous one: only the time of
      // the next attempt shows that it ended.
      await expect
        .poll(() => rowOf('bad'))
        .toMatchObject({
          attempts: attempt,
          last_error: '550 never heard of them',
          due_at: dueAt,
          parked_at: attempt < 12 ? null : now,
        });
      clock.set(dueAt);
      sender.wake();
    }
    expect(ids.size).toBe(1);
    expect(mail.given).toHaveLength(12);
  });

  it('gives up immediately after a permanent rejection, with its reason', async () => {
    await store({ kind: 'mail', key: 'gone' });
    await begin({ mail: recorder(() => new Undeliverable('410 unsubscribed')) });
    await expect
      .poll(() => rowOf('gone'))
      .toMatchObject({ attempts: 1, parked_at: start, last_error: '410 unsubscribed', sent_at: null });
  });

  it('counts no attempt when it was only too early', async () => {
    await store({ kind: 'hook', key: 'cooling' });
    await begin({ hook: recorder(() => new PostponeDelivery(300)) });
    await expect
      .poll(() => rowOf('cooling'))
      .toMatchObject({ attempts: 0, due_at: new Date(start.getTime() + 300_000), parked_at: null });
  });

  it('holds back messages that are due later', async () => {
    const mail = recorder();
    await store(
      { kind: 'mail', key: 'night', dueAt: new Date(start.getTime() + 3_600_000) },
      { kind: 'mail', key: 'now' },
    );
    const sender = await begin({ mail });
    await expect.poll(() => rowOf('now')).toMatchObject({ sent_at: start });
    expect(mail.given).toEqual(['now']);
    clock.advance(3_600_000);
    sender.wake();
    await expect.poll(() => mail.given).toEqual(['now', 'night']);
  });

  it('takes over another console’s message after its lease of a minute, and not before', async () => {
    // With more capacity it could lease its own message again before the other sender does.
    const stuck = recorder(undefined, 1);
    stuck.shut();
    await store({ kind: 'mail', key: 'taken' });
    await begin({ mail: stuck });
    await expect.poll(() => stuck.given).toEqual(['taken']);
    const other = recorder();
    const second = await begin({ mail: other });
    clock.advance(59_000);
    await store({ kind: 'mail', key: 'after' });
    second.wake();
    await expect.poll(() => rowOf('after')).toMatchObject({ attempts: 1 });
    expect(other.given).not.toContain('taken');
    clock.advance(1000);
    second.wake();
    await expect.poll(() => other.given).toContain('taken');
    stuck.open();
  });

  it('gives up messages that no sender handles any more, so that they are not sent unexpectedly later', async () => {
    await store({ kind: 'fax', key: 'old' });
    await begin({ mail: recorder() });
    expect(await rowOf('old')).toMatchObject({ parked_at: start, last_error: 'nothing sends this kind' });
  });
});
