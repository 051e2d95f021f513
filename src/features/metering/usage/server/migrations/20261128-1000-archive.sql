-- Months of raw events that were stored elsewhere before they were dropped from the database.

create table usage_archive (
  id int generated always as identity primary key,
  -- In UTC, as the partitions are. A month can have several archives: events may come after the first one, if the operator keeps events for longer again.
  month char(7) not null,
  -- Where its events are: 'files' or 'clickhouse'.
  kind text not null,
  -- The archive whose events this one takes over from another place.
  moved_from int unique references usage_archive (id),
  begun_at timestamptz not null,
  -- Null until all events of the month are there, proven, and dropped from where they were.
  completed_at timestamptz
);
create unique index usage_archive_open on usage_archive (month) where completed_at is null and moved_from is null;

-- The parts of an archive, each a file where the archive is one of files. Together they hold the events in the order of subscription, time, source and id.
create table usage_archive_part (
  archive_id int not null references usage_archive (id),
  number int not null,
  name text not null,
  event_count bigint not null,
  -- The length of the file; 0 where there is none.
  bytes bigint not null,
  -- SHA-256 of the file as it is stored, or of the events where there is none, in hexadecimal.
  digest text not null,
  first_subscription_id text not null,
  last_subscription_id text not null,
  -- The last event: the next part begins behind it.
  last_time timestamptz not null,
  last_source_id int not null,
  last_event_id text collate "C" not null,
  primary key (archive_id, number)
);
