-- Month packs: who asked for which, how far it is, and the file that holds it until its time is over.

create table month_pack (
  id text primary key,
  -- Null: of all organizations.
  organization_id text references organization,
  month char(7) not null,
  -- In which its tables are; bills and credit notes are in their organizations' own.
  language text not null check (language in ('zhTW', 'enUS')),
  state text not null check (state in ('waiting', 'running', 'done', 'stopped', 'failed', 'removed')),
  asked_at timestamptz not null,
  asked_by text not null,
  -- When it last said something: one that has been silent for long is not being made any more.
  heard_at timestamptz not null,
  stop_asked boolean not null default false,
  finished_at timestamptz,
  documents_total integer not null,
  documents_done integer not null default 0,
  -- A name of its own in the data directory, known before the file is there: what no row names can go.
  file_name text unique,
  size_bytes bigint,
  totals jsonb,
  kept_until timestamptz,
  problem text,
  check ((state = 'done') = (kept_until is not null and size_bytes is not null) or state = 'removed'),
  check (state not in ('running', 'done') or file_name is not null)
);
-- One at a time for a month.
create unique index month_pack_making on month_pack (coalesce(organization_id, ''), month) where state in ('waiting', 'running');
create index month_pack_newest on month_pack (coalesce(organization_id, ''), id desc);
create index month_pack_file on month_pack (state) where state in ('waiting', 'running', 'done');
