-- Items of metering calls that were refused: kept with their reason until they are mended, dismissed or old.

create table rejected_event (
  id text primary key,
  -- Whose event it is: the key's organization, else that of the subscription it names; null: nobody's that is known.
  organization_id text references organization,
  -- What a key may write to: its organization's subscriptions (null: everybody's).
  key_organization_id text,
  key_id text not null,
  -- The same event with the same reason is one row.
  digest bytea not null unique,
  first_received_at timestamptz not null,
  last_received_at timestamptz not null,
  times bigint not null default 1,
  source text,
  event_id text,
  type text,
  subject text,
  code text not null,
  params jsonb not null,
  -- The event as JSON, as it came; cut when it was too long to keep.
  raw text not null,
  is_complete boolean not null,
  state text not null default 'open' check (state in ('open', 'replayed', 'dismissed')),
  settled_at timestamptz,
  settled_by text,
  -- What was replayed instead of it.
  repaired text,
  check ((state = 'open') = (settled_at is null))
);
create index rejected_event_newest on rejected_event (state, last_received_at desc, id desc);
create index rejected_event_of_organization on rejected_event (organization_id, state, last_received_at desc, id desc);
create index rejected_event_of_reason on rejected_event (code, id) where state = 'open';
create index rejected_event_of_key on rejected_event ((coalesce(key_organization_id, key_id))) where state = 'open';

-- How many there was no more room for.
create table rejected_event_overflow (
  owner text primary key,
  organization_id text references organization,
  times bigint not null,
  last_at timestamptz not null
);
