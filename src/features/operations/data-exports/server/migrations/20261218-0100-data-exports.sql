-- Nightly exports: who asked for which, how far it is, where it was written, and which usage events it took.

create table data_export (
  id text primary key,
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'stopped')),
  cause text not null check (cause in ('schedule', 'person')),
  -- Which try of its night it is.
  attempt integer not null,
  asked_at timestamptz not null,
  asked_by text not null,
  -- When it last said something: one that has been silent for long is not being made any more.
  heard_at timestamptz not null,
  stop_asked boolean not null default false,
  begun_at timestamptz,
  finished_at timestamptz,
  -- Where it is written, in words, and its folder there; known before the first file.
  place text,
  folder text,
  files_done integer not null default 0,
  files_total integer not null default 0,
  rows_done bigint not null default 0,
  size_bytes bigint,
  snapshot_at timestamptz,
  read_from text check (read_from in ('primary', 'replica')),
  -- Events that arrived until then are in its files or in those of runs before it at the same place; null when it took none.
  events_through timestamptz,
  -- When its files went; null also while a failed run may have left some.
  removed_at timestamptz,
  failure_code text,
  failure_detail text,
  check (state <> 'done' or (size_bytes is not null and snapshot_at is not null and folder is not null))
);
-- One at a time.
create unique index data_export_making on data_export ((true)) where state in ('waiting', 'running');
create index data_export_newest on data_export (asked_at desc, id desc);
