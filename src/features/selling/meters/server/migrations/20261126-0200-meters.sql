-- What is measured: which usage events count, and how they become one quantity. Services share meters.

create table meter (
  id text primary key,
  key text not null unique check (key ~ '^[A-Za-z0-9._-]{1,60}$'),
  name text not null,
  event_type text not null,
  aggregation text not null check (aggregation in ('sum', 'count', 'max', 'unique_count', 'latest', 'time_weighted_average', 'avg', 'min', 'percentile')),
  aggregation_property text,
  -- Of samples of so many minutes each, the one at this percentile counts.
  percentile integer check (percentile between 1 and 100),
  sample_minutes integer check (sample_minutes between 1 and 1440 and 1440 % sample_minutes = 0),
  unit text not null,
  dimensions text[] not null default '{}',
  -- Property → the values of it that count; null: all events of the type count.
  filter jsonb,
  -- As its author wrote it (json, not jsonb: the order stays).
  data_schema json,
  -- How many services use it, counted by the trigger on their table.
  services integer not null default 0 check (services >= 0),
  -- Grows with every change: two people who edit the same meter notice each other.
  version integer not null default 1,
  created_at timestamptz not null,
  check ((aggregation = 'percentile') = (percentile is not null)),
  check ((aggregation = 'percentile') = (sample_minutes is not null))
);
create index meter_by_name on meter (name, id);
create index meter_by_age on meter (created_at, id);
-- Services with the same way of measuring find one meter, also when they are made at the same moment.
create unique index meter_definition on meter (event_type, aggregation, coalesce(aggregation_property, ''), unit, coalesce(percentile, 0), coalesce(sample_minutes, 0))
  where dimensions = '{}' and filter is null;

-- An id as the console writes them: 48 bits of milliseconds, then random letters.
create function meter_id_at(at timestamptz) returns text language plpgsql as $$
declare
  alphabet constant text := '0123456789abcdefghjkmnpqrstvwxyz';
  moment bigint := floor(extract(epoch from at) * 1000)::bigint;
  random bytea := uuid_send(gen_random_uuid());
  letters text := '';
begin
  for place in reverse 9..0 loop
    letters := letters || substr(alphabet, ((moment >> (place * 5)) & 31)::integer + 1, 1);
  end loop;
  for place in 0..15 loop
    letters := letters || substr(alphabet, (get_byte(random, place) & 31) + 1, 1);
  end loop;
  return 'mtr_' || letters;
end $$;

-- The key that a meter of an event type gets: its lower-case letters, digits and signs; -2, -3 … for further ones.
create function meter_key_of(event_type text, number integer) returns text language sql immutable as $$
  with own as (select coalesce(nullif(trim(both '-' from regexp_replace(lower(event_type collate "C"), '[^a-z0-9._-]+', '-', 'g')), ''), 'meter') as key),
    suffix as (select case when number = 1 then '' else '-' || number end as text)
  select left(own.key, 60 - length(suffix.text)) || suffix.text from own, suffix
$$;

-- The meter that measures this way and nothing more, made when there is none. It is locked against another definition until the
-- transaction ends.
create function meter_of(wanted_type text, wanted_aggregation text, wanted_property text, wanted_unit text, at timestamptz) returns text language plpgsql as $$
declare
  meter_id text;
  number integer := 1;
begin
  loop
    select id into meter_id from meter m where m.event_type = wanted_type and m.aggregation = wanted_aggregation
      and coalesce(m.aggregation_property, '') = coalesce(wanted_property, '') and m.unit = wanted_unit
      and m.percentile is null and m.sample_minutes is null and m.dimensions = '{}' and m.filter is null for key share;
    if found then return meter_id; end if;
    insert into meter (id, key, name, event_type, aggregation, aggregation_property, unit, created_at)
      values (meter_id_at(at), meter_key_of(wanted_type, number), wanted_type, wanted_type, wanted_aggregation, wanted_property, wanted_unit, at)
      on conflict do nothing returning id into meter_id;
    if found then return meter_id; end if;
    -- Either another transaction has just made this meter, or the key belongs to another one.
    number := number + 1;
  end loop;
end $$;
