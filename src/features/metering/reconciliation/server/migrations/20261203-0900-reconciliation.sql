-- What clouds say exists against what is billed.
create table reconciliation_run (
  id text primary key,
  state text not null check (state in ('waiting', 'running', 'done', 'failed')),
  -- The user who asked for it; null by the clock.
  asked_by text,
  asked_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  -- Per connector its name, how many things it said exist, and why it could not.
  sources jsonb not null default '[]',
  unbilled integer not null default 0,
  ghosts integer not null default 0,
  differs integer not null default 0
);
create index reconciliation_run_newest on reconciliation_run (asked_at, id);

create table reconciliation_total (
  run_id text not null references reconciliation_run on delete cascade,
  kind text not null check (kind in ('unbilled', 'ghost', 'differs')),
  currency char(3) not null,
  amount_minor bigint not null,
  primary key (run_id, kind, currency)
);

-- How the inventory of a connector stands that findings are from.
create table reconciliation_source (
  connector_id text primary key references connector on delete cascade,
  items integer not null,
  read_at timestamptz,
  failure_code text,
  failure_detail text
);

-- What was billed and was missing in every inventory since then.
create table reconciliation_missing (
  connector_id text not null references connector on delete cascade,
  resource text not null,
  missing_since timestamptz not null,
  primary key (connector_id, resource)
);

create table reconciliation_finding (
  id text primary key,
  connector_id text not null references connector on delete cascade,
  resource text not null,
  kind text not null check (kind in ('unbilled', 'ghost', 'differs')),
  cause text not null check (cause in ('unmapped', 'waiting', 'ended', 'usage', 'fee', 'size', 'owner')),
  item_kind text not null,
  name text not null,
  project text not null,
  size text not null,
  billed_size text not null,
  since timestamptz,
  item_state text not null,
  subscription_id text references subscription on delete cascade,
  owner_id text references subscription on delete cascade,
  service_id text references service on delete set null,
  amount_minor bigint,
  currency char(3),
  first_found_at timestamptz not null,
  last_found_at timestamptz not null,
  fields jsonb not null,
  unique (connector_id, resource, kind),
  check ((amount_minor is null) = (currency is null))
);

-- Who left out what, and why; kept when it is taken back.
create table reconciliation_ignored (
  id text primary key,
  connector_id text not null references connector on delete cascade,
  resource text not null,
  kind text not null check (kind in ('unbilled', 'ghost', 'differs')),
  reason text not null,
  ignored_by text not null,
  ignored_at timestamptz not null,
  undone_by text,
  undone_at timestamptz,
  check ((undone_by is null) = (undone_at is null))
);
create unique index reconciliation_ignored_now on reconciliation_ignored (connector_id, resource, kind) where undone_at is null;
create index reconciliation_ignored_newest on reconciliation_ignored (ignored_at, id);

-- By the price of which service something is valued that belongs to nobody.
create table reconciliation_price (
  connector_id text not null references connector on delete cascade,
  item_kind text not null,
  service_id text not null references service on delete cascade,
  primary key (connector_id, item_kind)
);

create table reconciliation_setting (
  is_only boolean primary key default true check (is_only),
  ghost_hours integer not null default 24 check (ghost_hours > 0),
  notice_minor bigint check (notice_minor > 0),
  notice_currency char(3),
  version integer not null default 1,
  check ((notice_minor is null) = (notice_currency is null))
);
insert into reconciliation_setting default values;
