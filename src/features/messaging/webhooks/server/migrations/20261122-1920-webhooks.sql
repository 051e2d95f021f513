-- Webhooks: endpoints of organizations, what they are told, and each attempt. The deliveries are the queue; the outbox only wakes an endpoint.

create table webhook_endpoint (
  id text primary key,
  organization_id text not null references organization,
  url text not null,
  description text not null,
  -- null: everything.
  event_types text[],
  is_on boolean not null default true,
  off_reason text check (off_reason in ('by_hand', 'failing', 'gone')),
  -- Encrypted: the key is not in the database.
  secret bytea not null,
  secret_hint text not null,
  previous_secret bytea,
  previous_until timestamptz,
  failing_since timestamptz,
  last_delivered_at timestamptz,
  -- Turns in a row in which nothing arrived, and until when it rests for them.
  failed_turns integer not null default 0,
  rests_until timestamptz,
  -- One console at a time sends to it; a console that dies loses it at this moment.
  busy_until timestamptz,
  -- When the outbox wakes it anyway.
  wakes_at timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  check (is_on = (off_reason is null))
);
create index webhook_endpoint_of on webhook_endpoint (organization_id, created_at desc, id desc);

create table webhook_delivery (
  id text primary key,
  endpoint_id text not null references webhook_endpoint on delete cascade,
  -- What it is about: told once, however often it is announced.
  event_key text not null,
  event_type text not null,
  -- Fixed when it is made: every attempt sends these bytes.
  body text not null,
  state text not null check (state in ('waiting', 'delivered', 'parked')),
  created_at timestamptz not null,
  -- When the present round of attempts began, and how many it had; a replay begins another.
  began_at timestamptz not null,
  tries integer not null default 0,
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  last_status integer,
  last_failure text,
  last_attempt_at timestamptz,
  unique (endpoint_id, event_key),
  check ((state = 'waiting') = (next_attempt_at is not null))
);
create index webhook_delivery_due on webhook_delivery (endpoint_id, next_attempt_at, id) where state = 'waiting';
create index webhook_delivery_newest on webhook_delivery (endpoint_id, created_at desc, id desc);
create index webhook_delivery_state on webhook_delivery (endpoint_id, state, created_at desc, id desc);
create index webhook_delivery_type on webhook_delivery (endpoint_id, event_type, created_at desc, id desc);
call count_rows_of('webhook_delivery', 'endpoint_id', 'state');

create table webhook_attempt (
  delivery_id text not null references webhook_delivery on delete cascade,
  number integer not null,
  at timestamptz not null,
  status integer,
  failure text,
  detail text not null,
  ms integer not null,
  answer text not null,
  primary key (delivery_id, number)
);
