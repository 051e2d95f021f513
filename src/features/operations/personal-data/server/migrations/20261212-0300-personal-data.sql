-- Exports of all data of an organization: who asked for which, how far it is, and the file that holds it until its time is over.

create table personal_export (
  id text primary key,
  organization_id text not null references organization,
  -- Of its readme and its documents.
  language text not null check (language in ('zhTW', 'enUS')),
  state text not null check (state in ('waiting', 'running', 'done', 'stopped', 'failed', 'removed')),
  asked_at timestamptz not null,
  asked_by text not null,
  -- When it last said something: one that has been silent for long is not being made any more.
  heard_at timestamptz not null,
  stop_asked boolean not null default false,
  finished_at timestamptz,
  files_total integer not null default 0,
  files_done integer not null default 0,
  rows_done bigint not null default 0,
  -- A random name, known before the file is there: what no row names can go.
  file_name text unique,
  -- What opens the file, sealed with the installation's key; gone with the file.
  file_key bytea,
  -- Of the archive inside the encrypted file.
  size_bytes bigint,
  kept_until timestamptz,
  problem text,
  check ((state = 'done') = (kept_until is not null) and (state <> 'done' or (size_bytes is not null and file_key is not null and file_name is not null))),
  check (state in ('running', 'done') or file_key is null)
);
-- One at a time for an organization.
create unique index personal_export_making on personal_export (organization_id) where state in ('waiting', 'running');
create index personal_export_newest on personal_export (organization_id, id desc);
create index personal_export_file on personal_export (state) where state in ('waiting', 'running', 'done');
