-- The consoles that run on this database, as each says of itself. Worth nothing after a crash: who runs says so again.
create unlogged table console_process (
  id text primary key,
  host text not null,
  process_id int not null,
  version text not null,
  address text not null,
  started_at timestamptz not null,
  -- By the database's clock; the process's own may differ.
  heard_at timestamptz not null,
  clock_ahead_ms int not null,
  memory_bytes bigint not null,
  clients int not null
);
