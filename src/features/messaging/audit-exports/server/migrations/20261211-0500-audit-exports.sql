-- Where the audit log is sent, and how far each of them is.
create table audit_export (
  id text primary key,
  name text not null,
  target jsonb not null,
  -- Of a bucket its secret key, of a webhook what signs; sealed with the installation's key. null for syslog.
  secret bytea,
  secret_hint text not null,
  is_paused boolean not null default false,
  -- The last entry that was acknowledged, and its hash: the next one has to follow from it.
  sent_seq bigint not null,
  sent_hash bytea not null,
  last_sent_at timestamptz,
  -- Until then a console is sending to it.
  claimed_until timestamptz,
  failing_since timestamptz,
  failures integer not null default 0,
  failure_code text,
  failure_detail text,
  next_try_at timestamptz not null,
  version integer not null default 1,
  created_at timestamptz not null
);
