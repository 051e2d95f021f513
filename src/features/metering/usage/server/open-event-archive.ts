// Opens the event archives that are configured.
import { oncePer } from '#kernel/once.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { EventStoreUnavailable } from './archive-errors.ts';
import type { EventArchive } from './event-archive.ts';
import { clickhouseArchive } from './event-archive-clickhouse.ts';
import { fileArchive } from './event-archive-files.ts';
import type { ArchiveKind } from './store-archive.ts';

const archivesOf = oncePer((_app: App) => new Map<ArchiveKind, EventArchive>());

/** Returns the archive of a kind. @throws EventStoreUnavailable for ClickHouse without EVENTS_URL */
export function archiveOf(app: App, kind: ArchiveKind): EventArchive {
  const known = archivesOf(app);
  const archive =
    known.get(kind) ?? (kind === 'files' ? fileArchive(app.files) : clickhouseArchive(urlOf(app)));
  known.set(kind, archive);
  return archive;
}

function urlOf({ config: { eventsUrl } }: App): string {
  if (eventsUrl === undefined)
    throw new EventStoreUnavailable('these events are in ClickHouse, and EVENTS_URL is not set', true);
  return eventsUrl;
}

/** The kind of archive that new months are written to. */
export const currentKind = ({ config }: App): ArchiveKind =>
  config.eventsUrl === undefined ? 'files' : 'clickhouse';
