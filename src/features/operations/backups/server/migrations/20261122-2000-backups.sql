-- Backups: who asked for which, how far it is, what it holds, and what its restore came to.

create table backup (
  id text primary key,
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'stopped')),
  cause text not null check (cause in ('schedule', 'person', 'command', 'upgrade')),
  asked_at timestamptz not null,
  -- A person's id; the name of a part of the console otherwise.
  asked_by text not null,
  -- When it last said something: one that has been silent for long is not being made any more.
  heard_at timestamptz not null,
  stop_asked boolean not null default false,
  begun_at timestamptz,
  finished_at timestamptz,
  phase text check (phase in ('counting', 'writing', 'restoring', 'comparing')),
  rows_done bigint not null default 0,
  rows_total bigint not null default 0,
  -- In the folder of backups; known before the file is there.
  file_name text unique,
  size_bytes bigint,
  -- The release and the PostgreSQL that made it, how many tables and rows it has, and the figures of the books.
  content jsonb,
  proof text check (proof in ('proven', 'different', 'not_allowed')),
  differences jsonb not null default '[]',
  -- When its file went, by a person or because its time was over.
  removed_at timestamptz,
  problem text,
  check ((state = 'done') = (size_bytes is not null and content is not null and proof is not null)),
  check (state not in ('running', 'done') or file_name is not null)
);
-- One at a time.
create unique index backup_making on backup ((true)) where state in ('waiting', 'running');
create index backup_newest on backup (asked_at desc, id desc);
