-- Calls of Admins that wait for a second one's agreement.
create table approval (
  id text primary key,
  -- feature.verb
  call text not null,
  -- What it is about, in words; gone with the call.
  subject text,
  -- The call itself, encrypted; null 90 days after the end.
  sealed_call bytea,
  requested_by text not null,
  -- The API key that asked for its person.
  key_id text,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  state text not null check (state in ('waiting', 'approved', 'done', 'failed', 'rejected', 'withdrawn', 'expired')),
  decided_by text,
  decided_at timestamptz,
  note text not null default '',
  -- When a call with units of work of its own was begun.
  started_at timestamptz,
  ended_at timestamptz,
  failure_code text,
  failure_params jsonb,
  -- What it answered without its secrets, and those, encrypted.
  sealed_outcome bytea,
  sealed_secrets bytea,
  -- Nobody agrees to what they asked for themselves.
  check (decided_by is null or decided_by <> requested_by),
  check ((state in ('waiting', 'approved')) = (ended_at is null)),
  check (state not in ('approved', 'done', 'failed', 'rejected') or decided_by is not null)
);
create index approval_open on approval (expires_at) where ended_at is null;
create index approval_requested_by on approval (requested_by, id);
