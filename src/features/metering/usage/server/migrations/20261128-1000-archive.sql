-- Months of raw events that were stored as files before they were dropped from the database.

create table usage_archive (
  id int generated always as identity primary key,
  -- In UTC, as the partitions are. A month can have several archives: events may come after the first one, if the operator keeps events for longer again.
  month char(7) not null,
  begun_at timestamptz not null,
  -- Null until all events of the month are in files, proven, and dropped from the database.
  completed_at timestamptz
);
create unique index usage_archive_open on usage_archive (month) where completed_at is null;

-- The files of an archive. Together they hold the events in the order of subscription, time, source and id.
create table usage_archive_part (
  archive_id int not null references usage_archive (id),
  number int not null,
  file_name text not null,
  event_count bigint not null,
  bytes bigint not null,
  -- Of the file as it is stored, in hexadecimal.
  sha256 text not null,
  first_subscription_id text not null,
  last_subscription_id text not null,
  -- The last event: the next part begins behind it.
  last_time timestamptz not null,
  last_source_id int not null,
  last_event_id text collate "C" not null,
  primary key (archive_id, number)
);
