-- Erasures of an organization's people, or of one person: who asked for which and why, what went, and the certificate.

create table erasure (
  id text primary key,
  kind text not null check (kind in ('organization', 'person')),
  organization_id text references organization,
  user_id text references app_user,
  state text not null check (state in ('waiting', 'running', 'done')),
  reason text not null,
  asked_at timestamptz not null,
  asked_by text not null,
  finished_at timestamptz,
  -- What is looked for: names, addresses, numbers. Sealed, and forgotten when a later run has looked for it and said what it found.
  terms bytea,
  -- Rows deleted and changed, by table.
  counts jsonb not null default '{}',
  -- Where what is looked for is still found, with the reason why it stays.
  remains jsonb not null default '[]',
  backups_until timestamptz,
  books_until date,
  checked_at timestamptz,
  -- What was signed, exactly as it was.
  certificate text,
  signature text,
  check ((kind = 'organization') = (user_id is null)),
  check ((state = 'done') = (finished_at is not null and certificate is not null and signature is not null))
);
create index erasure_newest on erasure (asked_at desc, id desc);
create unique index erasure_under_way on erasure (coalesce(user_id, organization_id)) where state in ('waiting', 'running');
