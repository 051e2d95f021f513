-- Imports of billing files, and what each of their rows was worth in the file.

create table import (
  id text primary key,
  file_name text not null,
  content bytea not null,
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'canceled')),
  rows_total integer not null default 0,
  rows_done integer not null default 0,
  report jsonb not null default '{}',
  failure text,
  created_at timestamptz not null,
  created_by text not null,
  finished_at timestamptz
);
create index import_newest on import (id desc);
call count_rows_of('import', 'state', 'created_by');

create table import_row (
  -- Source and id of the row's usage event, so that a row counts once however often its file is imported.
  source text not null,
  row_id text not null,
  month char(7) not null,
  currency text not null,
  subscription_id text,
  list_cost numeric not null,
  -- PricingQuantity × ListUnitPrice; null for a row that became no usage.
  exact_cost numeric,
  refused_code text,
  primary key (source, row_id)
);
create index import_row_of_month on import_row (month);
