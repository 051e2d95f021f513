-- How often a limited call was made from an address in the running minute, of all consoles together. Worth nothing after a crash.
create unlogged table rate_window (
  key bytea primary key,
  ends_at timestamptz not null,
  calls int not null
);
