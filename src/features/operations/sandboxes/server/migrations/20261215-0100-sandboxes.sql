-- Sandboxes: consoles with test data and a clock of their own, each in another database of the same server.
create table sandbox (
  id text primary key,
  name text not null,
  database_name text not null unique,
  -- While it is reset: the database that takes the place of the other.
  next_database text,
  -- making, ready, deleting
  state text not null,
  start_at timestamptz not null,
  clock_at timestamptz not null,
  copies_catalogue boolean not null,
  move_from timestamptz,
  move_to timestamptz,
  -- running, done, cancelled; null when the clock was never moved.
  move_state text,
  -- Who moves it, as the database's clock says until when they were heard of; the same for making, resetting and deleting.
  mover text,
  alive_at timestamptz not null,
  customers integer not null default 0,
  bills integer not null default 0,
  mails integer not null default 0,
  last_used_at timestamptz not null,
  noticed_at timestamptz,
  created_by text not null,
  created_at timestamptz not null
);
