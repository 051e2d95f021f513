// Sends new audit log entries to their destinations. A destination's position advances when the receiver has
// acknowledged, so unacknowledged entries are sent again: at least once, with a number by which a receiver
// recognizes each. Destinations do not wait for each other.
import { failPoint } from '#platform/server/fail-point.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { Target } from '../contract.ts';
import { batchLimits, fitting, pauseAfter, wholeObject, type Batch } from '../rules.ts';
import { ExportFailure, type Sending } from './deliver.ts';
import { toBucket } from './deliver-bucket.ts';
import { toSyslog } from './deliver-syslog.ts';
import { toWebhook } from './deliver-webhook.ts';
import {
  chainEnd,
  claimExports,
  entriesAfter,
  hashAt,
  moveOn,
  noteFailure,
  releaseExport,
  type ExportRow,
} from './store.ts';

const by = { actor: { kind: 'system', name: 'audit-exports' }, keepsCachedReads: true } as const;
/** A process that has held a destination for this long has died. */
const claimMs = 120_000;
/** A run starts no batch after this time, so that destinations that catch up do not delay the others. */
const turnMs = 20_000;
/** When to check a bucket again that has no complete object yet. */
const objectMs = 60_000;

/** Delivers a batch. @throws ExportFailure */
function send(sending: Sending, batch: Batch): Promise<void> {
  const { target } = sending;
  switch (target.kind) {
    case 'syslog':
      return toSyslog.send({ ...sending, target }, batch);
    case 'bucket':
      return toBucket.send({ ...sending, target }, batch);
    case 'webhook':
      return toWebhook.send({ ...sending, target }, batch);
  }
}
/** Sends a test. @throws ExportFailure */
export function sendTest(sending: Sending): Promise<void> {
  const { target } = sending;
  switch (target.kind) {
    case 'syslog':
      return toSyslog.test({ ...sending, target });
    case 'bucket':
      return toBucket.test({ ...sending, target });
    case 'webhook':
      return toWebhook.test({ ...sending, target });
  }
}

/** Sends waiting entries to every due destination. A failure is stored with its destination. */
export async function sendDue(app: App, signal: AbortSignal): Promise<void> {
  const due = await unitOfWork(app, by, (ctx) => claimExports(ctx, new Date(ctx.now.getTime() + claimMs)));
  const ended = await Promise.allSettled(due.map((row) => sendTo(app, row, signal)));
  const errors = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  // Unexpected errors are thrown after every destination has had its turn.
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors);
}

async function sendTo(app: App, row: ExportRow, signal: AbortSignal): Promise<void> {
  const began = performance.now();
  let at: ExportRow | undefined = row;
  try {
    while (at && performance.now() - began < turnMs && !signal.aborted) at = await sendNext(app, at, signal);
  } catch (error) {
    if (!(error instanceof ExportFailure)) throw error;
    const { code, detail } = error;
    const seconds = pauseAfter((at ?? row).failures + 1);
    await unitOfWork(app, by, (ctx) =>
      noteFailure(ctx, row, new Date(ctx.now.getTime() + seconds * 1000), { code, detail }),
    );
    return;
  }
  const again = at ? 0 : pauseMs(row.target);
  await unitOfWork(app, by, (ctx) => releaseExport(ctx, row.id, new Date(ctx.now.getTime() + again)));
}

const pauseMs = ({ kind }: Target): number => (kind === 'bucket' ? objectMs : 0);

/** Sends the next batch; undefined when there is none, or this process no longer holds the destination. */
async function sendNext(app: App, row: ExportRow, signal: AbortSignal): Promise<ExportRow | undefined> {
  const { batch, isBroken } = await unitOfWork(app, { ...by, mode: 'read' }, async (ctx) => ({
    isBroken: !(await follows(ctx, row)),
    batch: {
      // One more than fits, to see whether an object is full.
      entries: await entriesAfter(ctx, row.sentSeq, batchLimits[row.target.kind].entries + 1),
      hashBefore: row.sentHash.toString('hex'),
    },
  }));
  if (isBroken) throw new ExportFailure('chain', row.sentSeq.toString());
  const entries =
    row.target.kind === 'bucket'
      ? wholeObject(batch.entries, app.clock.now().toISOString().slice(0, 10))
      : fitting(batch.entries, row.target.kind);
  const last = entries.at(-1);
  if (!last) return undefined;
  const { id, target, secret } = row;
  await send({ app, exportId: id, target, secret, signal }, { ...batch, entries });
  failPoint(app, 'audit-exports: sent');
  const isMoved = await unitOfWork(app, by, (ctx) =>
    moveOn(ctx, row, {
      seq: last.seq,
      hash: last.hash,
      claimedUntil: new Date(ctx.now.getTime() + claimMs),
    }),
  );
  return isMoved
    ? { ...row, sentSeq: BigInt(last.seq), sentHash: Buffer.from(last.hash, 'hex'), failures: 0 }
    : undefined;
}

/**
 * Whether the last sent entry is still in the log unchanged: nothing is sent after an entry that was changed
 * or removed.
 */
async function follows(
  ctx: Parameters<typeof hashAt>[0],
  { sentSeq, sentHash }: ExportRow,
): Promise<boolean> {
  if (sentSeq === 0n) return true;
  const { seq } = await chainEnd(ctx);
  const hash = await hashAt(ctx, sentSeq);
  return seq >= sentSeq && hash !== undefined && hash.equals(sentHash);
}
