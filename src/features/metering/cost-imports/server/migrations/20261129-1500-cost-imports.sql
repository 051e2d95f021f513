-- What clouds bill the operator, and what was sold of it.
create table cost_source (
  id text primary key,
  name text not null,
  place jsonb not null,
  -- A bucket's secret key, sealed with the installation's key; null when there is none.
  secret bytea,
  is_paused boolean not null default false,
  rules jsonb not null,
  selling jsonb not null,
  next_pull_at timestamptz,
  last_pull_at timestamptz,
  failures integer not null default 0,
  failure_code text,
  failure_detail text,
  version integer not null default 1,
  -- Counts changes of rules, mark-ups and rates: what was sold before is outdated.
  terms integer not null default 1,
  created_at timestamptz not null
);

-- One file, or the files of one folder of an export, read whole.
create table cost_import (
  id text primary key,
  source_id text not null references cost_source on delete cascade,
  name text not null,
  -- The names of files outside; null for an upload, whose content is kept among the console's files until it is imported.
  files jsonb,
  digest bytea not null,
  state text not null check (state in ('waiting', 'reading', 'ready', 'applied', 'superseded', 'failed', 'cancelled')),
  format text,
  bytes bigint not null,
  bytes_read bigint not null default 0,
  rows bigint not null default 0,
  -- Which reading of it wrote its lines, so that one that was taken over writes no more.
  attempt integer not null default 0,
  claimed_until timestamptz,
  failure_code text,
  failure_params jsonb,
  failure_row bigint,
  failure_column text,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index cost_import_of_source on cost_import (source_id, created_at, id);
create index cost_import_due on cost_import (created_at) where state in ('waiting', 'reading');

-- What the lines of a file are said of: who used it, as far as rules look at it.
create table cost_scope (
  id bigint generated always as identity primary key,
  source_id text not null references cost_source on delete cascade,
  digest bytea not null,
  provider text not null,
  account text not null,
  sub_account text not null,
  sub_account_name text not null,
  resource_group text not null,
  tags jsonb not null,
  unique (source_id, digest)
);

-- The lines of files, added up by scope, day, service and kind. Amounts are exact, in whole units of the currency.
create table cost_line (
  import_id text not null references cost_import on delete cascade,
  period_start date not null,
  period_end date not null,
  scope_id bigint not null references cost_scope,
  day date not null,
  service text not null,
  kind text not null,
  currency char(3) not null,
  billed numeric not null,
  effective numeric not null,
  list numeric not null,
  rows bigint not null,
  primary key (import_id, period_start, scope_id, day, service, kind, currency)
);

-- What files say in all, taken from their rows and not from the lines, so that one can be checked by the other.
create table cost_import_total (
  import_id text not null references cost_import on delete cascade,
  period_start date not null,
  period_end date not null,
  currency char(3) not null,
  billed numeric not null,
  effective numeric not null,
  list numeric not null,
  rows bigint not null,
  primary key (import_id, period_start, currency)
);

-- The import that holds for a billing period.
create table cost_period (
  source_id text not null references cost_source on delete cascade,
  period_start date not null,
  period_end date not null,
  import_id text not null references cost_import,
  version integer not null,
  imported_at timestamptz not null,
  -- The terms of the source by which it was sold.
  sold_terms integer not null,
  -- What it cost, and how much of it is whose, when it was sold.
  totals jsonb not null default '{}',
  primary key (source_id, period_start)
);

create table cost_rate (
  source_id text not null references cost_source on delete cascade,
  period_start date not null,
  from_currency char(3) not null,
  to_currency char(3) not null,
  rate numeric not null check (rate > 0),
  as_of date not null,
  set_at timestamptz not null,
  primary key (source_id, period_start, from_currency, to_currency)
);

-- Both sides of what was assigned: its cost, and what was sold, by subscription, cloud service and day.
create table cost_sold (
  source_id text not null references cost_source,
  period_start date not null,
  subscription_id text not null references subscription,
  service text not null,
  day date not null,
  cost_currency char(3) not null,
  cost numeric not null,
  -- In the currency of the subscription; null while it cannot be sold.
  sold numeric,
  sold_currency char(3) not null,
  -- Cost in the currency of the subscription, by the rate it was sold with.
  cost_sold_currency numeric,
  -- The event of metering: its revision and what it counts. 0 when there never was one.
  revision integer not null default 0,
  event_value numeric,
  event_at timestamptz,
  reason text,
  primary key (source_id, period_start, subscription_id, service, day, cost_currency)
);
create index cost_sold_of_subscription on cost_sold (subscription_id, day);
