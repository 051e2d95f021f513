// Archives months of raw events as files or ClickHouse rows before dropping them from the database. Parts are
// written, read back and recorded one after the other, so an interrupted run resumes where it stopped. The
// events are dropped only if the archive holds the same number.
import { required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { portionsWithin } from '#platform/server/files/export.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { ArchiveDamaged } from './archive-errors.ts';
import type { EventArchive, PartName } from './event-archive.ts';
import { recordMonthLeft } from './months-left.ts';
import { archiveOf, currentKind } from './open-event-archive.ts';
import {
  addPart,
  archivesElsewhere,
  completeArchive,
  completeMove,
  forgetParts,
  lockedEventCount,
  nextEvents,
  openArchive,
  openMove,
  partsOfArchive,
  type ArchivedRow,
  type ArchiveKind,
  type ArchivePart,
} from './store-archive.ts';
import { dropPartition } from './store-partitions.ts';

/** Events per part: few enough to find one subscription's events in a fraction of a second. */
const partEvents = 20_000;
const rowsAtOnce = 1000;
const by = { actor: { kind: 'system', name: 'usage-partitions' } } as const;

/**
 * Archives a month's events and drops them from the database. Safe to repeat; an abort stops it between two
 * parts.
 * @returns whether the month is done
 * @throws FilesUnavailable or EventStoreUnavailable when the archive rejects the write or cannot be reached;
 * the events are then still in the database.
 */
export async function archiveMonth(
  app: App,
  month: BillingMonth,
  signal: AbortSignal,
  eventsInPart = partEvents,
): Promise<boolean> {
  const { id, kind } = await unitOfWork(app, by, (ctx) => openArchive(ctx, month, currentKind(app)));
  const archive = archiveOf(app, kind);
  const parts = await partsOfArchive(app.database.kysely, id);
  for (;;) {
    if (signal.aborted) return false;
    const name = { archiveId: id, month, number: (parts.at(-1)?.number ?? 0) + 1 };
    const part = await unitOfWork(app, { ...by, mode: 'snapshot' }, (ctx) =>
      writePart(
        archive,
        name,
        portionsWithin(ctx, nextEvents(month, parts.at(-1), eventsInPart), rowsAtOnce),
        signal,
      ),
    );
    if (!part) break;
    await assertReadable(archive, part);
    await unitOfWork(app, by, (ctx) => addPart(ctx, id, part));
    parts.push(part);
  }
  await dropArchived(app, month, id, parts);
  await archive.removeOthers({ archiveId: id, month }, parts);
  return true;
}

/** Drops a month whose events are all archived; if more arrived in the meantime, the next run starts over. */
async function dropArchived(
  app: App,
  month: BillingMonth,
  archiveId: number,
  parts: readonly ArchivePart[],
): Promise<void> {
  const archived = parts.reduce((sum, { eventCount }) => sum + eventCount, 0n);
  const stored = await unitOfWork(app, by, async (ctx) => {
    const count = await lockedEventCount(ctx, month);
    if (count !== archived) {
      await forgetParts(ctx, archiveId);
      return count;
    }
    await completeArchive(ctx, archiveId);
    await dropPartition(ctx.db, month);
    await recordMonthLeft(ctx, month);
    ctx.audit('usage.archiveEvents', month, {
      after: { events: String(count), parts: parts.map(({ name }) => name) },
    });
    return count;
  });
  if (stored !== archived)
    throw new Error(`${month} has ${stored} events and its archive ${archived}: it begins anew`);
}

/**
 * Moves all archives that are stored elsewhere to one place, month by month: each part is copied, read back
 * and compared, then the month is switched over and the old copy removed. Safe to repeat; reads use the old
 * place until the whole month has been moved.
 * @param told called with each month that was moved and its number of events
 */
export async function moveArchives(
  app: App,
  kind: ArchiveKind,
  signal: AbortSignal,
  told: (month: BillingMonth, events: bigint) => void,
): Promise<void> {
  const to = archiveOf(app, kind);
  for (const from of await unitOfWork(app, { ...by, mode: 'read' }, (ctx) => archivesElsewhere(ctx, kind))) {
    if (signal.aborted) return;
    const former = archiveOf(app, from.kind);
    const id = await unitOfWork(app, by, (ctx) => openMove(ctx, from, kind));
    const parts = await partsOfArchive(app.database.kysely, from.id);
    const moved = new Map((await partsOfArchive(app.database.kysely, id)).map((part) => [part.number, part]));
    for (const source of parts) {
      if (signal.aborted) return;
      if (moved.has(source.number)) continue;
      const name = { archiveId: id, month: from.month, number: source.number };
      const part = await writePart(to, name, former.readPart(source), signal);
      if (part?.eventCount !== source.eventCount || part.lastEventId !== source.lastEventId)
        throw new ArchiveDamaged(source.name, `it should hold ${source.eventCount} events`);
      await assertReadable(to, part);
      await unitOfWork(app, by, (ctx) => addPart(ctx, id, part));
      moved.set(part.number, part);
    }
    await to.removeOthers({ archiveId: id, month: from.month }, [...moved.values()]);
    await unitOfWork(app, by, async (ctx) => {
      await completeMove(ctx, from, id);
      ctx.audit('usage.moveArchive', from.month, { before: from.kind, after: kind });
    });
    await former.removeOthers({ archiveId: from.id, month: from.month }, []);
    told(
      from.month,
      parts.reduce((sum, { eventCount }) => sum + eventCount, 0n),
    );
  }
}

/** Writes events as a part; undefined if there are none. */
async function writePart(
  archive: EventArchive,
  name: PartName,
  events: AsyncIterable<readonly ArchivedRow[]>,
  signal: AbortSignal,
): Promise<ArchivePart | undefined> {
  const written: { first?: ArchivedRow; last?: ArchivedRow; count: bigint } = { count: 0n };
  // Never starts a part that would be empty.
  const portions = events[Symbol.asyncIterator]();
  const begin = await portions.next();
  if (begin.done === true) return undefined;
  async function* noted(): AsyncGenerator<readonly ArchivedRow[], void, void> {
    try {
      for (let portion = begin; portion.done !== true; portion = await portions.next()) {
        written.first ??= portion.value[0];
        written.last = portion.value.at(-1) ?? written.last;
        written.count += BigInt(portion.value.length);
        yield portion.value;
      }
    } finally {
      await portions.return?.();
    }
  }
  const { bytes, ...stored } = await archive.write(name, noted(), signal);
  const [first, last] = [
    required(written.first, 'the first of the written events'),
    required(written.last, 'the last of the written events'),
  ];
  return {
    ...stored,
    number: name.number,
    bytes: BigInt(bytes),
    eventCount: written.count,
    firstSubscriptionId: first.subscriptionId,
    lastSubscriptionId: last.subscriptionId,
    lastTime: last.time,
    lastSourceId: last.sourceId,
    lastEventId: last.id,
  };
}

/** Reads a part back as its readers will. @throws ArchiveDamaged when it does not hold what was written. */
async function assertReadable(archive: EventArchive, part: ArchivePart): Promise<void> {
  let count = 0n;
  for await (const rows of archive.readPart(part)) count += BigInt(rows.length);
  if (count !== part.eventCount)
    throw new ArchiveDamaged(part.name, `it holds ${count} events instead of ${part.eventCount}`);
}
