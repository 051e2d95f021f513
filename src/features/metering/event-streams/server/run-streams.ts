// Reads event streams. A stream is read by one server process at a time, which holds a lease. A batch is
// recorded in one transaction that also verifies the lease and moves the positions, and is acknowledged to
// the broker after the commit. Whatever fails in between, a message is recorded once: when it is redelivered,
// it is recognized by its id or its position.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { oncePer } from '#kernel/once.ts';
import type { Id } from '#kernel/ids.ts';
import { failPoint } from '#platform/server/fail-point.ts';
import { recordUnexpectedError } from '#platform/server/monitoring/unexpected-errors.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { pauseAfter } from '../rules.ts';
import { settingsOf } from './credentials.ts';
import { evaluatorOf, type Evaluator } from './evaluate.ts';
import { openReader } from './open-reader.ts';
import { StreamFailure, type Batch, type StreamReader } from './reader.ts';
import { keepLost, makeEvents, recordMessages, textOf, type MadeMessage } from './record-messages.ts';
import {
  claimStreams,
  endLease,
  positionsOf,
  recordBatch,
  recordConnection,
  recordContact,
  recordFailure,
  renewLease,
  storePositions,
  streamById,
  type StreamRow,
} from './store.ts';

const by = { actor: { kind: 'system', name: 'event-streams' }, keepsCachedReads: true } as const;
/** A lease lasts six seconds; without messages it is renewed at this interval. */
const renewEveryMs = 2000;
const longestCloseMs = 5000;

type Running = {
  readonly holder: string;
  readonly streams: Map<string, { readonly stop: AbortController; readonly done: Promise<void> }>;
  isStopping: boolean;
};
const runningOf = oncePer((_app: App): Running => ({
  holder: randomUUID(),
  streams: new Map(),
  isStopping: false,
}));

/**
 * Starts reading the streams that no process reads, until {@link stopEventStreams}, a change, or a failure.
 */
export async function readFreeStreams(app: App): Promise<void> {
  const running = runningOf(app);
  if (running.isStopping) return;
  const free = await unitOfWork(app, by, (ctx) => claimStreams(ctx, running.holder));
  for (const id of free) {
    if (running.streams.has(id)) continue;
    const stop = new AbortController();
    const done = readStream(app, id, running.holder, stop.signal).finally(() => running.streams.delete(id));
    running.streams.set(id, { stop, done });
  }
}

/**
 * Stops reading in this process and releases its streams to others. Messages that were read but not recorded
 * are delivered again.
 */
export async function stopEventStreams(app: App): Promise<void> {
  const running = runningOf(app);
  running.isStopping = true;
  const all = [...running.streams.values()];
  for (const { stop } of all) stop.abort();
  await Promise.all(all.map(({ done }) => done));
}

type Reading = {
  readonly app: App;
  readonly row: StreamRow;
  readonly holder: string;
  readonly evaluator: Evaluator;
  readonly reader: StreamReader;
  publishedAt: number;
};

/** Thrown when another process holds the lease, or the stream was paused, changed or deleted. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Reads one stream until it is stopped or fails. Never rejects: failures are stored on the stream. */
async function readStream(app: App, id: Id<'est'>, holder: string, stop: AbortSignal): Promise<void> {
  try {
    const found = await unitOfWork(app, { ...by, mode: 'read' }, async (ctx) => ({
      row: await streamById(ctx, id),
      positions: await positionsOf(ctx, id),
    }));
    const { row } = found;
    if (!row) return;
    const evaluator = evaluatorOf(row.expression);
    try {
      const reader = await whileRenewing(
        app,
        row,
        holder,
        openReader(settingsOf(app, row, found.positions, stop)),
      );
      try {
        await readOn({ app, row, holder, evaluator, reader, publishedAt: 0 }, stop);
      } finally {
        await closeReader(app, reader);
      }
    } catch (error) {
      if (!(error instanceof StreamFailure)) throw error;
      if (!stop.aborted) await noteFailure(app, row, holder, error);
    } finally {
      await evaluator.close();
    }
  } catch (error) {
    if (error instanceof LeaseLost) app.log.info({ stream: id }, 'event stream: the lease ended');
    // It is retried when the lease expires.
    else await reportUnexpected(app, id, error);
  } finally {
    await unitOfWork(app, by, (ctx) => endLease(ctx, id, holder)).catch((error: unknown) =>
      app.log.warn({ err: error, stream: id }, 'event stream: the lease runs out by itself'),
    );
  }
}

/** A broker that does not respond must not keep the console from retrying. */
async function closeReader(app: App, reader: StreamReader): Promise<void> {
  const ended = new AbortController();
  try {
    await Promise.race([reader.close(), sleep(longestCloseMs, undefined, { signal: ended.signal })]);
  } catch (error) {
    app.log.debug({ err: error }, 'event stream: closing');
  } finally {
    ended.abort();
  }
}

async function reportUnexpected(app: App, id: string, error: unknown): Promise<void> {
  app.log.error({ err: error, stream: id }, 'event stream');
  await recordUnexpectedError(app, { source: 'job', place: 'event-streams', error });
}

/** Renews the lease while `work` runs: connecting may take longer than a lease. */
async function whileRenewing<T>(app: App, row: StreamRow, holder: string, work: Promise<T>): Promise<T> {
  const timer = setInterval(() => {
    unitOfWork(app, by, (ctx) => renewLease(ctx, row.id, { holder, version: row.version })).catch(
      (error: unknown) => app.log.warn({ err: error, stream: row.id }, 'event stream: the lease'),
    );
  }, renewEveryMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

async function readOn(reading: Reading, stop: AbortSignal): Promise<void> {
  const { app, row, reader } = reading;
  let [renewedAt, lag]: [number, number | null | undefined] = [0, undefined];
  await unitOfWork(app, by, async (ctx) => {
    await assertLease(reading, (id, lease) => renewLease(ctx, id, lease));
    await storePositions(ctx, row.id, reader.begins);
    await recordConnection(ctx, row.id);
    ctx.publish('system/event-streams', { kind: 'event-streams' });
  });
  while (!stop.aborted) {
    const batch = await reader.next(stop);
    const hasNews = batch.messages.length > 0 || batch.lost.length > 0 || batch.positions.size > 0;
    if (hasNews) {
      if (!stop.aborted) await takeBatch(reading, batch);
      renewedAt = performance.now();
      lag = batch.lag;
    } else if (performance.now() - renewedAt >= renewEveryMs || lag !== batch.lag) {
      const isNews = lag !== batch.lag;
      await unitOfWork(app, by, async (ctx) => {
        await assertLease(reading, (id, lease) => renewLease(ctx, id, lease));
        if (!isNews) return;
        await recordContact(ctx, row.id, batch.lag);
        ctx.publish('system/event-streams', { kind: 'event-streams' });
      });
      renewedAt = performance.now();
      lag = batch.lag;
    }
  }
}

type Lease = { readonly holder: string; readonly version: number };
/**
 * Checks the lease and locks the row, so that no other process takes the stream over before the transaction
 * ends. @throws LeaseLost
 */
async function assertLease(
  { row, holder }: Pick<Reading, 'row' | 'holder'>,
  renew: (id: string, lease: Lease) => Promise<boolean>,
): Promise<void> {
  if (!(await renew(row.id, { holder, version: row.version }))) throw new LeaseLost();
}

/** Records a batch and acknowledges it. */
async function takeBatch(reading: Reading, batch: Batch): Promise<void> {
  const { app, row, reader, evaluator } = reading;
  const renew = (): Promise<void> =>
    unitOfWork(app, by, (ctx) => assertLease(reading, (id, lease) => renewLease(ctx, id, lease)));
  const now = app.clock.now();
  const made = await makeEvents(
    row,
    evaluator,
    batch.messages.map((message) => textOf(message, now)),
    renew,
  );
  failPoint(app, 'event-streams: a batch was read');
  await commitBatch(reading, batch, made);
  failPoint(app, 'event-streams: a batch was recorded');
  try {
    await reader.acknowledge(batch);
  } catch (error) {
    // The batch is redelivered and recognized; a broken connection shows with the next batch.
    app.log.warn({ err: error, stream: row.id }, 'event stream: a batch was not acknowledged');
  }
}

async function commitBatch(reading: Reading, batch: Batch, made: readonly MadeMessage[]): Promise<void> {
  const { app, row } = reading;
  await unitOfWork(app, by, async (ctx) => {
    await assertLease(reading, (id, lease) => renewLease(ctx, id, lease));
    const counts = await recordMessages(ctx, row, made);
    await keepLost(ctx, row.id, batch.lost);
    await storePositions(ctx, row.id, batch.positions);
    await recordContact(ctx, row.id, batch.lag);
    if (made.length > 0) await recordBatch(ctx, row.id, counts);
    const now = performance.now();
    // A stream with thousands of messages per second must not cause as many live updates.
    if (now - reading.publishedAt < renewEveryMs && batch.lag !== 0) return;
    reading.publishedAt = now;
    ctx.publish('system/event-streams', { kind: 'event-streams' });
  });
}

async function noteFailure(app: App, row: StreamRow, holder: string, error: StreamFailure): Promise<void> {
  app.log.warn({ err: error, stream: row.id }, 'event stream: tried again after a pause');
  await unitOfWork(app, by, async (ctx) => {
    const now = await streamById(ctx, row.id);
    if (!now) return;
    const pause = pauseAfter(now.failures + 1);
    const failure = { code: error.code, detail: error.detail };
    await recordFailure(ctx, row.id, holder, failure, new Date(ctx.now.getTime() + pause * 1000));
    ctx.publish('system/event-streams', { kind: 'event-streams' });
  });
}
