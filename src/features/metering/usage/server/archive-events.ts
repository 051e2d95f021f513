// Months of raw events become files before they are dropped from the database: in parts that are written, read back and noted one after the
// other, so that a run that was stopped goes on where it was. The events leave the database only when their number in files is the same.
import { createHash } from 'node:crypto';
import { pipeline, Readable, Transform } from 'node:stream';
import { createGzip } from 'node:zlib';
import { required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { csvWithin } from '#platform/server/files/export.ts';
import { figure, type CsvCell } from '#platform/server/files/csv.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { readArchive } from './archive-file.ts';
import {
  addPart,
  completeArchive,
  forgetParts,
  lockedEventCount,
  nextEvents,
  openArchive,
  partsOfArchive,
  type ArchivedRow,
  type ArchivePart,
} from './store-archive.ts';
import { dropPartition } from './store-partitions.ts';

/** The events of a part: few enough that one subscription's are found in them in a small part of a second. */
const partEvents = 20_000;
const by = { actor: { kind: 'system', name: 'usage-partitions' } } as const;

/** The columns of the files, in their order. */
export const archiveColumns = [
  'id',
  'source',
  'sourceId',
  'subscriptionId',
  'time',
  'value',
  'receivedAt',
  'keyId',
  'type',
  'properties',
  'voidsSourceId',
  'voids',
] as const satisfies readonly (keyof ArchivedRow)[];

function cellsOf(row: ArchivedRow): readonly CsvCell[] {
  return archiveColumns.map((column): CsvCell => {
    const value = row[column];
    if (typeof value === 'number') return figure(String(value));
    return column === 'value' ? figure(row.value) : (value ?? '');
  });
}

/**
 * Stores a month's events as files and drops them from the database. Safe to repeat; an abort stops it between two parts.
 * @returns whether the month is done
 * @throws FilesUnavailable when the store of files refuses or cannot be reached; the events are in the database still.
 */
export async function archiveMonth(
  app: App,
  month: BillingMonth,
  signal: AbortSignal,
  eventsInPart = partEvents,
): Promise<boolean> {
  const archiveId = await unitOfWork(app, by, (ctx) => openArchive(ctx, month));
  const parts = await partsOfArchive(app.database.kysely, archiveId);
  for (;;) {
    if (signal.aborted) return false;
    const part = await writePart(app, month, { archiveId, after: parts.at(-1), eventsInPart }, signal);
    if (!part) break;
    await assertReadable(app, part);
    await unitOfWork(app, by, (ctx) => addPart(ctx, archiveId, part));
    parts.push(part);
  }
  await dropArchived(app, month, archiveId, parts);
  return true;
}

/** Drops a month of which all events are in files; when others came in between, the next run begins anew. */
async function dropArchived(
  app: App,
  month: BillingMonth,
  archiveId: number,
  parts: readonly ArchivePart[],
): Promise<void> {
  const inFiles = parts.reduce((sum, { eventCount }) => sum + eventCount, 0n);
  const stored = await unitOfWork(app, by, async (ctx) => {
    const count = await lockedEventCount(ctx, month);
    if (count !== inFiles) {
      await forgetParts(ctx, archiveId);
      return count;
    }
    await completeArchive(ctx, archiveId);
    await dropPartition(ctx.db, month);
    ctx.audit('usage.archiveEvents', month, {
      after: { events: String(count), files: parts.map(({ fileName }) => fileName) },
    });
    return count;
  });
  if (stored !== inFiles)
    throw new Error(`${month} has ${stored} events and its archive ${inFiles}: it begins anew`);
}

/** Writes the next events of a month into a file; undefined when there are no more. */
async function writePart(
  app: App,
  month: BillingMonth,
  {
    archiveId,
    after,
    eventsInPart,
  }: { readonly archiveId: number; readonly after: ArchivePart | undefined; readonly eventsInPart: number },
  signal: AbortSignal,
): Promise<ArchivePart | undefined> {
  const number = (after?.number ?? 0) + 1;
  const fileName = `usage-archive/${month}/${archiveId}-${String(number).padStart(4, '0')}.csv.gz`;
  const written: { first?: ArchivedRow; last?: ArchivedRow; count: bigint } = { count: 0n };
  const hash = createHash('sha256');
  const bytes = await unitOfWork(app, { ...by, mode: 'snapshot' }, (ctx) => {
    const table = csvWithin(ctx, {
      header: archiveColumns,
      query: nextEvents(month, after, eventsInPart),
      cells: (row) => {
        written.first ??= row;
        written.last = row;
        written.count += 1n;
        return cellsOf(row);
      },
    });
    const hashed = new Transform({
      transform: (piece: Buffer, _encoding, done) => {
        hash.update(piece);
        done(null, piece);
      },
    });
    // A failure of one of them ends the last, from which the store reads.
    pipeline(Readable.from(table), createGzip(), hashed, () => undefined);
    return app.files.write(fileName, hashed, signal);
  });
  if (written.count === 0n) {
    await app.files.remove([fileName]);
    return undefined;
  }
  const [first, last] = [
    required(written.first, 'the first of the written events'),
    required(written.last, 'the last of the written events'),
  ];
  return {
    number,
    fileName,
    eventCount: written.count,
    bytes: BigInt(bytes),
    sha256: hash.digest('hex'),
    firstSubscriptionId: first.subscriptionId,
    lastSubscriptionId: last.subscriptionId,
    lastTime: last.time,
    lastSourceId: last.sourceId,
    lastEventId: last.id,
  };
}

/** Reads a file as its readers will. @throws Error when it does not hold what was written. */
async function assertReadable(app: App, part: ArchivePart): Promise<void> {
  let count = 0n;
  for await (const rows of readArchive(app.files, part)) count += BigInt(rows.length);
  if (count !== part.eventCount)
    throw new Error(`${part.fileName} holds ${count} events instead of ${part.eventCount}`);
}
