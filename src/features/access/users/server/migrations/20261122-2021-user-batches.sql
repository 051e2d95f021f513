-- Changes of many users and imports of them: what is asked for and what became of each row, so that either goes on after a restart.

create table user_batch (
  id text primary key,
  action text not null check (action in ('activate', 'deactivate', 'delete', 'restore', 'resetPassword')),
  state text not null check (state in ('running', 'done', 'stopped')),
  total integer not null default 0,
  done integer not null default 0,
  unchanged integer not null default 0,
  refused integer not null default 0,
  created_by text not null references app_user,
  created_at timestamptz not null,
  finished_at timestamptz,
  -- The batch that takes this one back.
  undone_by text references user_batch on delete set null
);
create index user_batch_by_age on user_batch (created_at);

create table user_batch_row (
  batch_id text not null references user_batch on delete cascade,
  position integer not null,
  user_id text not null,
  state text not null check (state in ('waiting', 'done', 'unchanged', 'refused')),
  code text,
  primary key (batch_id, position)
);

create table user_import (
  id text primary key,
  file_name text not null,
  state text not null check (state in ('ready', 'running', 'done', 'stopped')),
  send_links boolean not null default false,
  created_by text not null references app_user,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index user_import_by_age on user_import (created_at);

create table user_import_row (
  import_id text not null references user_import on delete cascade,
  position integer not null,
  name text not null,
  account text not null,
  action text not null check (action in ('create', 'update', 'unchanged', 'refused')),
  state text not null check (state in ('waiting', 'written', 'failed')),
  -- What was read: name, account, role, organization (its id), phone, language, status.
  wanted jsonb not null,
  -- Codes with their parameters; sentences are made for whoever reads them.
  errors jsonb not null,
  primary key (import_id, position)
);
create index user_import_row_waiting on user_import_row (import_id, position) where state = 'waiting' and action in ('create', 'update');
