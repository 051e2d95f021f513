// Where months of raw events lie that left the database: one interface, two places (open-event-archive.ts).
import type { BillingMonth } from '#kernel/shape.ts';
import type { ArchivedMonth, ArchivedRow, ArchiveKind, ArchivePart } from './store-archive.ts';

/** A part before it is stored. */
export type PartName = {
  readonly archiveId: number;
  readonly month: BillingMonth;
  readonly number: number;
};
/** What is noted of a part that was stored; see the columns of usage_archive_part. */
export type StoredPart = { readonly name: string; readonly bytes: number; readonly digest: string };

/**
 * A place of archived events. Every function throws `ArchiveDamaged` when what is there is not what was written, and
 * `FilesUnavailable` or `EventStoreUnavailable` when the place does not answer.
 */
export type EventArchive = {
  readonly kind: ArchiveKind;
  /** Whether {@link eventsOf} gives the latest events first, so that its reader may stop when it has enough. */
  readonly isLatestFirst: boolean;
  /** Stores events as a part, durably. Nothing that an earlier try left is read as part of it. */
  readonly write: (
    part: PartName,
    events: AsyncIterable<readonly ArchivedRow[]>,
    signal: AbortSignal,
  ) => Promise<StoredPart>;
  /** The events of a part in their order, some at a time. */
  readonly readPart: (part: ArchivePart) => AsyncIterable<ArchivedRow[]>;
  /** The events of a subscription in [start, end), some at a time. */
  readonly eventsOf: (
    month: ArchivedMonth,
    range: { readonly subscriptionId: string; readonly start: Date | null; readonly end: Date | null },
  ) => AsyncIterable<ArchivedRow[]>;
  /** Removes of an archive all but some parts: what tries that failed left, or everything. */
  readonly removeOthers: (
    archive: Pick<PartName, 'archiveId' | 'month'>,
    parts: readonly Pick<ArchivePart, 'name'>[],
  ) => Promise<void>;
};
