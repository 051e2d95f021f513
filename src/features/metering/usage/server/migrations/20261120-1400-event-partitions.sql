-- Events by month, so that old months can go as a whole; what makes an event known for ever stays in a table of its own.

-- Who an event's source belongs to: '' is the platform. Nobody can take another one's ids by writing its source.
create table usage_source (
  id int generated always as identity primary key,
  organization_id text not null,
  source text collate "C" not null,
  unique (organization_id, source)
);

-- Every event that was ever accepted, with the time it was sent with. `digest` tells a repeat from another event with the same id, also when the event itself is gone.
create table usage_key (
  source_id int not null,
  event_id text collate "C" not null,
  time timestamptz not null,
  digest bigint not null,
  primary key (source_id, event_id)
);
create trigger usage_key_fixed before update on usage_key for each row execute function refuse_change();

alter table usage_event rename to usage_event_before;
alter index usage_event_of_subscription rename to usage_event_before_of_subscription;

-- Partitions are usage_event_YYYYMM, by calendar month in UTC; the console makes them as they are needed.
create table usage_event (
  source_id int not null,
  event_id text collate "C" not null,
  subscription_id text not null,
  time timestamptz not null,
  value numeric not null,
  received_at timestamptz not null,
  -- The API key that brought it; null for imports.
  key_id text,
  -- The event's data besides its value; null when there is none.
  properties jsonb,
  -- A correction names the event that it takes back, and has its time and its value with the other sign.
  voided_source_id int,
  voided_event_id text collate "C"
) partition by range (time);
create index usage_event_of_subscription on usage_event (subscription_id, time);
create trigger usage_event_fixed before update on usage_event for each row execute function refuse_change();

-- Which event was taken back by which: each at most once.
create table usage_void (
  source_id int not null,
  event_id text collate "C" not null,
  by_source_id int not null,
  by_event_id text collate "C" not null,
  primary key (source_id, event_id)
);
create unique index usage_void_by on usage_void (by_source_id, by_event_id);
create trigger usage_void_fixed before update on usage_void for each row execute function refuse_change();

/* What tells two events with one id apart: equal values hash alike, however they are written. `at` is null for one sent without a time. */
create function usage_digest(subscription_id text, at timestamptz, value numeric, properties jsonb) returns bigint
  language sql immutable parallel safe as $$ select hash_record_extended(row(subscription_id, at, value, properties), 0) $$;

/* Makes the partition of a month in UTC unless it is there, and answers whether it was. Attached, not made in place, so that nobody waits who reads or writes. */
create function usage_partition(month date) returns boolean language plpgsql as $$
declare
  name text := 'usage_event_' || to_char(month, 'YYYYMM');
begin
  if to_regclass(name) is not null then return true; end if;
  -- One at a time; unlike an advisory lock, this one shows what the one before has made.
  lock table usage_event in share update exclusive mode;
  if to_regclass(name) is not null then return true; end if;
  execute format('create table %I (like usage_event including defaults)', name);
  execute format('create index on %I (subscription_id, time)', name);
  execute format('alter table usage_event attach partition %I for values from (%L) to (%L)', name, month::timestamp at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
  return false;
end $$;

insert into usage_source (organization_id, source) select '', source from usage_event_before group by source;
insert into usage_key (source_id, event_id, time, digest)
  select s.id, e.event_id, e.time, usage_digest(e.subscription_id, e.time, e.value, e.properties) from usage_event_before e join usage_source s on s.source = e.source;
select usage_partition(month::date) from (select distinct date_trunc('month', time at time zone 'UTC') as month from usage_event_before) as months;
insert into usage_event (source_id, event_id, subscription_id, time, value, received_at, properties)
  select s.id, e.event_id, e.subscription_id, e.time, e.value, e.received_at, e.properties from usage_event_before e join usage_source s on s.source = e.source;
drop table usage_event_before;

-- Of two values of one moment the one whose source and id come last counts, whatever order they arrive in.
-- Corrections leave their rows in the list of events: each one and the one it takes back.
alter table usage_hour add column last_event text collate "C" not null default '', add column void_count bigint not null default 0;
alter table usage_month add column last_event text collate "C" not null default '', add column distinct_count bigint not null default 0;

-- Values seen in an hour, for meters that count different ones: days and parts of months count them from here.
create table usage_distinct_hour (
  subscription_id text not null,
  hour timestamptz not null,
  value text not null,
  primary key (subscription_id, hour, value)
);
insert into usage_distinct_hour (subscription_id, hour, value)
  select distinct e.subscription_id, date_trunc('hour', e.time, o.time_zone), coalesce(e.properties ->> v.aggregation_property, 'null')
  from usage_event e join subscription b on b.id = e.subscription_id join organization o on o.id = b.organization_id join service v on v.id = b.service_id
  where v.aggregation = 'unique_count' and e.properties ? v.aggregation_property;
update usage_month m set distinct_count = d.count from (select subscription_id, month, count(*) as count from usage_distinct group by 1, 2) as d
  where d.subscription_id = m.subscription_id and d.month = m.month;

-- Hours by what events carry: dimension 'key' by API key, 'data.<property>' by the JSON text of the property's value
-- ("other": values beyond the most that are kept apart in a month).
create table usage_dimension_hour (
  subscription_id text not null,
  hour timestamptz not null,
  dimension text not null,
  value text not null,
  event_count bigint not null,
  sum numeric not null,
  max numeric not null,
  last_value numeric not null,
  last_at timestamptz not null,
  last_event text collate "C" not null default '',
  primary key (subscription_id, dimension, hour, value)
);

-- Which properties, and which of their values, a month has seen.
create table usage_dimension_value (
  subscription_id text not null,
  month char(7) not null,
  dimension text not null,
  value text not null,
  primary key (subscription_id, month, dimension, value)
);
