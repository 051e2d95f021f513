-- Message brokers that the console reads usage from.
create table event_stream (
  id text primary key,
  name text not null,
  address text not null,
  authority text not null,
  options jsonb not null,
  credential_kind text not null,
  -- Sealed with the installation's key; null when there are none.
  credentials bytea,
  format text not null check (format in ('cloudevents', 'mapped')),
  expression text not null,
  start text not null check (start in ('earliest', 'latest')),
  is_paused boolean not null default true,
  -- The console that reads it. It keeps the lease by renewing it; what another one commits after losing it is refused.
  holder text,
  held_until timestamptz,
  is_connected boolean not null default false,
  lag bigint,
  messages bigint not null default 0,
  events bigint not null default 0,
  duplicates bigint not null default 0,
  -- Events of the minute that began then, and of the one before it.
  rate_minute timestamptz,
  rate_count bigint not null default 0,
  rate_before bigint not null default 0,
  last_message_at timestamptz,
  failing_since timestamptz,
  failures integer not null default 0,
  failure_code text,
  failure_detail text,
  next_try_at timestamptz not null,
  version integer not null default 1,
  created_at timestamptz not null
);

-- How far partitions were read, for brokers that do not keep it: moved in the transaction that records the events.
create table event_stream_position (
  stream_id text not null references event_stream on delete cascade,
  partition text not null,
  next_offset bigint not null,
  primary key (stream_id, partition)
);

-- Messages, or events of them, that are no usage. They are acknowledged only once they are here.
create table event_stream_rejected (
  id text primary key,
  stream_id text not null references event_stream on delete cascade,
  position text not null,
  -- The id of its event when the mapping gives none.
  position_id text,
  -- Which of the events of the message; 0 for the message itself.
  place integer not null,
  topic text not null,
  code text not null,
  params jsonb not null,
  payload text not null,
  is_complete boolean not null,
  -- When the broker got it: events without a time happened then.
  sent_at timestamptz not null,
  received_at timestamptz not null,
  unique (stream_id, position, place)
);
create index event_stream_rejected_newest on event_stream_rejected (stream_id, received_at, id);
