// The connectors' job: reads complete windows, turns them into events, and moves the cursor in the
// transaction that records them. A window that is read again, by a second process or after a crash, adds
// nothing: its events are already known.
import pLimit from 'p-limit';
import type { Id } from '#kernel/ids.ts';
import { failPoint } from '#platform/server/fail-point.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { pullKinds } from '../contract.ts';
import { nextWindow, pauseAfter, readableAt, type Window } from '../rules.ts';
import { settingsOf } from './credentials.ts';
import { connectorEvaluator, type Evaluator } from './evaluate.ts';
import { longestReadMs, readWindow } from './open-source.ts';
import { recordReadings, type EvaluatedReading } from './record-readings.ts';
import { SourceFailure, type Reading } from './source.ts';
import {
  addEvents,
  claimDue,
  connectorById,
  endRetries,
  lockConnector,
  recordFailure,
  recordRead,
  setNextPull,
  type ConnectorRow,
} from './store.ts';
import { insertPull, noCounts } from './store-pulls.ts';
import { nextWaiting } from './store-resources.ts';

const by = { actor: { kind: 'system', name: 'connectors' }, keepsCachedReads: true } as const;
const atOnce = 4;
/** The number of windows read from one connector before the next connector's turn. */
const windowsInTurn = 24;
/**
 * The number of turns in a run of the job; it then ends and is restarted, so that a shutdown never waits
 * long.
 */
const turnsInRun = 20;
/** Longer than a pull can take, so that another process can take over abandoned ones. */
const claimMs = longestReadMs + 80_000;
const waitingAtOnce = 2000;

type Task = { readonly kind: Exclude<(typeof pullKinds)[number], 'waiting'>; readonly window: Window };

/**
 * Pulls everything that is due. Never throws for a failing source; the failure is stored on its connector.
 */
export async function pullDue(app: App, signal: AbortSignal): Promise<void> {
  const limit = pLimit(atOnce);
  // A connector with more to read is due again at once, after the others' turns.
  for (let turn = 0; turn < turnsInRun && !signal.aborted; turn++) {
    const due = await unitOfWork(app, by, (ctx) => claimDue(ctx, new Date(ctx.now.getTime() + claimMs)));
    if (due.length === 0) return;
    await Promise.all(due.map((id) => limit(() => pullConnector(app, id, signal))));
  }
}

async function pullConnector(app: App, id: Id<'con'>, signal: AbortSignal): Promise<void> {
  const evaluator = connectorEvaluator();
  try {
    await takeTurn(app, id, evaluator, signal);
  } finally {
    await evaluator.close();
  }
}

async function takeTurn(app: App, id: Id<'con'>, evaluator: Evaluator, signal: AbortSignal): Promise<void> {
  for (let count = 0; count < windowsInTurn && !signal.aborted; count++) {
    const row = await unitOfWork(app, { ...by, mode: 'read' }, (ctx) => connectorById(ctx, id));
    if (!row || row.isPaused) return;
    const retried = row.retriesAsked > row.retriesDone ? await retryWaiting(app, row, evaluator) : 'done';
    if (retried === 'failed') return;
    if (retried === 'changed') continue;
    const task = taskOf(row, app.clock.now());
    if (!task) break;
    if (!(await pullWindow(app, row, evaluator, task, signal))) return;
  }
  await unitOfWork(app, by, async (ctx) => {
    const row = await lockConnector(ctx, id);
    if (!row) return;
    const at = readableAt(row.readUntil, row.windowSeconds, row.settleSeconds);
    const hasMore = taskOf(row, ctx.now) !== undefined || row.retriesAsked > row.retriesDone;
    await setNextPull(ctx, id, hasMore ? ctx.now : at);
    ctx.publish('system/connectors', { kind: 'connectors' });
  });
}

/** What to read next: new windows first, then those an Admin asked to read again. */
function taskOf(row: ConnectorRow, now: Date): Task | undefined {
  const window = nextWindow(row.readUntil, row.windowSeconds, row.settleSeconds, now);
  if (window) return { kind: 'scheduled', window };
  const past =
    row.backfillFrom && row.backfillUntil
      ? nextWindow(row.backfillFrom, row.windowSeconds, 0, row.backfillUntil)
      : undefined;
  return past && { kind: 'backfill', window: past };
}

/** Reads one window; false if the source failed, which is recorded. */
async function pullWindow(
  app: App,
  row: ConnectorRow,
  evaluator: Evaluator,
  task: Task,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const readings = await readWindow(settingsOf(app, row), task.window, signal);
    const evaluated = await evaluatedOf(row, evaluator, readings);
    failPoint(app, 'connectors: a window was read');
    await unitOfWork(app, by, (ctx) => commitWindow(ctx, row, task, evaluated));
    failPoint(app, 'connectors: a window was recorded');
    return true;
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    await unitOfWork(app, by, (ctx) => noteFailure(ctx, row.id, task, error));
    return false;
  }
}

async function evaluatedOf(
  row: ConnectorRow,
  evaluator: Evaluator,
  readings: readonly Reading[],
): Promise<EvaluatedReading[]> {
  const measures = await evaluator.evaluate(row.mapping, readings);
  return readings.map((reading, place) => ({ reading, measures: measures[place] ?? [] }));
}

/**
 * Records the readings of a window and moves the cursor past it; does nothing if the connector was changed or
 * another process has read the window.
 */
async function commitWindow(
  ctx: Ctx,
  { id, version }: ConnectorRow,
  { kind, window }: Task,
  evaluated: readonly EvaluatedReading[],
): Promise<void> {
  const row = await lockConnector(ctx, id);
  if (!row || row.version !== version) return;
  const cursor = kind === 'scheduled' ? row.readUntil : row.backfillFrom;
  if (cursor?.getTime() !== window.start.getTime()) return;
  const counts = await recordReadings(ctx, row, evaluated);
  await insertPull(ctx, id, { kind, ...window, ...counts, failure: null });
  const from = kind === 'backfill' ? window.end : row.backfillFrom;
  await recordRead(ctx, id, {
    readUntil: kind === 'scheduled' ? window.end : row.readUntil,
    backfill:
      from && row.backfillUntil && from < row.backfillUntil ? { from, until: row.backfillUntil } : null,
    accepted: counts.accepted,
    claimedUntil: new Date(ctx.now.getTime() + claimMs),
  });
}

async function noteFailure(
  ctx: Ctx,
  id: Id<'con'>,
  { kind, window }: { readonly kind: (typeof pullKinds)[number]; readonly window: Window },
  error: SourceFailure,
): Promise<void> {
  const row = await lockConnector(ctx, id);
  if (!row) return;
  const failure = { code: error.code, detail: error.detail };
  const pause = pauseAfter(row.failures + 1, error.retryAfter);
  await recordFailure(ctx, id, failure, new Date(ctx.now.getTime() + pause * 1000));
  // A repeated failure is listed once; otherwise the list would contain nothing else.
  if (row.failureCode !== failure.code || row.failureDetail !== failure.detail)
    await insertPull(ctx, id, { kind, ...window, ...noCounts, failure });
  ctx.publish('system/connectors', { kind: 'connectors' });
}

/**
 * Retries waiting readings in portions, until all are done, the connector was changed, or an expression
 * failed, which is recorded.
 */
async function retryWaiting(
  app: App,
  row: ConnectorRow,
  evaluator: Evaluator,
): Promise<'done' | 'changed' | 'failed'> {
  let after: Reading | undefined;
  for (;;) {
    const last = after;
    const readings = await unitOfWork(app, { ...by, mode: 'read' }, (ctx) =>
      nextWaiting(ctx, row.id, last, waitingAtOnce),
    );
    if (readings.length === 0) break;
    try {
      const evaluated = await evaluatedOf(row, evaluator, readings);
      const isCurrent = await unitOfWork(app, by, (ctx) => commitWaiting(ctx, row, evaluated));
      if (!isCurrent) return 'changed';
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      const window = { start: row.readUntil, end: row.readUntil };
      await unitOfWork(app, by, (ctx) => noteFailure(ctx, row.id, { kind: 'waiting', window }, error));
      return 'failed';
    }
    after = readings.at(-1);
  }
  await unitOfWork(app, by, (ctx) => endRetries(ctx, row.id, row.retriesAsked));
  return 'done';
}

async function commitWaiting(
  ctx: Ctx,
  { id, version }: ConnectorRow,
  evaluated: readonly EvaluatedReading[],
): Promise<boolean> {
  const row = await lockConnector(ctx, id);
  if (!row || row.version !== version) return false;
  const counts = await recordReadings(ctx, row, evaluated);
  await addEvents(ctx, id, counts.accepted);
  const times = evaluated.map(({ reading }) => reading.window);
  if (counts.accepted > 0)
    await insertPull(ctx, id, {
      kind: 'waiting',
      start: new Date(Math.min(...times.map(({ start }) => start.getTime()))),
      end: new Date(Math.max(...times.map(({ end }) => end.getTime()))),
      ...counts,
      failure: null,
    });
  return true;
}
