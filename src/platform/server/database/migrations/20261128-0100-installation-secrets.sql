-- The secrets of the installation: sealed with SECRET_KEY, or, where they are in files of a data directory, only what recognizes them.
create table installation_secrets (
  is_only boolean primary key default true check (is_only),
  fingerprint text not null,
  sealed bytea,
  changed_at timestamptz not null
);
