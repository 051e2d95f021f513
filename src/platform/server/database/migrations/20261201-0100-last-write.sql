-- Where in the log of changes each person's last change is, so that they see it wherever they read. Kept only where a replica is read.
-- The row named * is there as long as the others are: after a crash the table is empty, and nobody's last change is known.
create unlogged table last_write (
  caller text primary key,
  -- An LSN as a number.
  place bigint not null,
  at timestamptz not null
);
