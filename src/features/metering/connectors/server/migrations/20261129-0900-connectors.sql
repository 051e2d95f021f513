-- Sources of usage that the console reads by itself.
create table connector (
  id text primary key,
  name text not null,
  address text not null,
  options jsonb not null,
  credential_kind text not null,
  -- Sealed with the installation's key; null when there are none.
  credentials bytea,
  is_paused boolean not null default false,
  window_seconds integer not null check (window_seconds > 0),
  settle_seconds integer not null check (settle_seconds >= 0),
  mapping jsonb not null,
  -- Everything before was read; the start of the next window.
  read_until timestamptz not null,
  has_read boolean not null default false,
  next_pull_at timestamptz not null,
  last_pull_at timestamptz,
  failing_since timestamptz,
  failures integer not null default 0,
  failure_code text,
  failure_detail text,
  -- A backfill reads the windows from the one to the other moment, and moves the first.
  backfill_from timestamptz,
  backfill_until timestamptz,
  -- How often it was asked to try again what waits, and up to which of these it was done.
  retries_asked integer not null default 0,
  retries_done integer not null default 0,
  events bigint not null default 0,
  version integer not null default 1,
  created_at timestamptz not null,
  check ((backfill_from is null) = (backfill_until is null)),
  check (backfill_from < backfill_until)
);
create index connector_due on connector (next_pull_at) where not is_paused;

-- One window that was read, or could not be.
create table connector_pull (
  id text primary key,
  connector_id text not null references connector on delete cascade,
  kind text not null check (kind in ('scheduled', 'backfill', 'waiting')),
  start_at timestamptz not null,
  end_at timestamptz not null,
  ended_at timestamptz not null,
  readings integer not null default 0,
  accepted integer not null default 0,
  duplicates integer not null default 0,
  differing integer not null default 0,
  waiting integer not null default 0,
  ignored integer not null default 0,
  failure_code text,
  failure_detail text
);
create index connector_pull_newest on connector_pull (connector_id, ended_at, id);

-- What a source spoke of.
create table connector_resource (
  connector_id text not null references connector on delete cascade,
  resource text not null,
  subscription_id text references subscription on delete set null,
  -- By an Admin, whatever the rules say.
  assigned_to text references subscription on delete set null,
  is_ignored boolean not null default false,
  fields jsonb not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (connector_id, resource)
);

-- Readings of which no events could be made: they wait here until somebody pays for them.
create table connector_waiting (
  connector_id text not null,
  resource text not null,
  start_at timestamptz not null,
  end_at timestamptz not null,
  fields jsonb not null,
  reason text not null check (reason in ('unmapped', 'quantity', 'rejected')),
  code text,
  params jsonb not null default '{}',
  primary key (connector_id, resource, start_at, end_at),
  foreign key (connector_id, resource) references connector_resource on delete cascade
);
