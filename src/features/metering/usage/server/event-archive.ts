// The store for months of raw events that have left the database: one interface, two implementations
// (open-event-archive.ts).
import type { BillingMonth } from '#kernel/shape.ts';
import type { ArchivedMonth, ArchivedRow, ArchiveKind, ArchivePart } from './store-archive.ts';

/** A part before it is stored. */
export type PartName = {
  readonly archiveId: number;
  readonly month: BillingMonth;
  readonly number: number;
};
/** What is recorded about a stored part; see the columns of usage_archive_part. */
export type StoredPart = { readonly name: string; readonly bytes: number; readonly digest: string };

/**
 * A store for archived events. Every function throws `ArchiveDamaged` when the stored data is not what was
 * written, and `FilesUnavailable` or `EventStoreUnavailable` when the store does not respond.
 */
export type EventArchive = {
  readonly kind: ArchiveKind;
  /** Whether {@link eventsOf} yields the latest events first, so that its reader can stop early. */
  readonly isLatestFirst: boolean;
  /** Stores events as a part, durably. Leftovers of earlier attempts are never read as part of it. */
  readonly write: (
    part: PartName,
    events: AsyncIterable<readonly ArchivedRow[]>,
    signal: AbortSignal,
  ) => Promise<StoredPart>;
  /** Yields the events of a part in order, in portions. */
  readonly readPart: (part: ArchivePart) => AsyncIterable<ArchivedRow[]>;
  /** Yields the events of a subscription in [start, end), in portions. */
  readonly eventsOf: (
    month: ArchivedMonth,
    range: { readonly subscriptionId: string; readonly start: Date | null; readonly end: Date | null },
  ) => AsyncIterable<ArchivedRow[]>;
  /** Removes everything of an archive except the given parts: leftovers of failed attempts, or all of it. */
  readonly removeOthers: (
    archive: Pick<PartName, 'archiveId' | 'month'>,
    parts: readonly Pick<ArchivePart, 'name'>[],
  ) => Promise<void>;
};
