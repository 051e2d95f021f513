-- Usage events, each accepted once for ever by (source, id), and what they add up to.

create table usage_event (
  source text not null,
  event_id text not null,
  subscription_id text not null,
  time timestamptz not null,
  value numeric not null,
  received_at timestamptz not null,
  -- The event's data besides its value; null when there is none.
  properties jsonb,
  primary key (source, event_id)
);
create index usage_event_of_subscription on usage_event (subscription_id, time);
create trigger usage_event_fixed before update on usage_event for each row execute function refuse_change();

-- Per hour of the organization's own zone: what statistics and charts read.
create table usage_hour (
  subscription_id text not null,
  hour timestamptz not null,
  event_count bigint not null,
  sum numeric not null,
  max numeric not null,
  last_value numeric not null,
  last_at timestamptz not null,
  primary key (subscription_id, hour)
);

-- Per billing month: what quotas and bills read.
create table usage_month (
  subscription_id text not null,
  month char(7) not null,
  event_count bigint not null,
  sum numeric not null,
  max numeric not null,
  last_value numeric not null,
  last_at timestamptz not null,
  primary key (subscription_id, month)
);

-- Distinct values seen in a month, for meters that count unique ones.
create table usage_distinct (
  subscription_id text not null,
  month char(7) not null,
  value text not null,
  primary key (subscription_id, month, value)
);
