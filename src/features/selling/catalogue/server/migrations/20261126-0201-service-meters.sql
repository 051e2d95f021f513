-- Every service has a meter. Its own columns (event_type, aggregation, …) stay: metering reads them.

alter table service add column meter_id text references meter;
do $$
begin
  perform meter_of(event_type, aggregation, aggregation_property, unit, made)
    from (select event_type, aggregation, aggregation_property, unit, min(created_at) as made from service group by 1, 2, 3, 4 order by made, 1, 2, 3, 4) as definition;
end $$;
update service s set meter_id = m.id from meter m
  where (m.event_type, m.aggregation, coalesce(m.aggregation_property, ''), m.unit) = (s.event_type, s.aggregation, coalesce(s.aggregation_property, ''), s.unit);
alter table service alter column meter_id set not null;
create index service_of_meter on service (meter_id, name, id);

-- A service that is made with a way of measuring instead of a meter gets the meter that measures this way. So does one that the
-- last release makes beside this one.
create function give_service_meter() returns trigger language plpgsql as $$
begin
  if new.meter_id is null then
    new.meter_id := meter_of(new.event_type, new.aggregation, new.aggregation_property, new.unit, new.created_at);
  end if;
  return new;
end $$;
create trigger service_meter before insert on service for each row execute function give_service_meter();

-- How many services use each meter.
create function count_meter_services() returns trigger language plpgsql as $$
declare
  parts text[] := array[]::text[];
begin
  if tg_op in ('INSERT', 'UPDATE') then parts := parts || 'select meter_id, 1 as n from added'::text; end if;
  if tg_op in ('DELETE', 'UPDATE') then parts := parts || 'select meter_id, -1 as n from removed'::text; end if;
  -- In the order of the ids, so that two transactions wait for each other instead of blocking each other.
  execute format('with changed as (select meter_id, sum(n)::integer as n from (%s) as each group by 1 having sum(n) <> 0),
      held as materialized (select m.id, changed.n from meter m join changed on changed.meter_id = m.id order by m.id for no key update of m)
    update meter set services = meter.services + held.n from held where meter.id = held.id', array_to_string(parts, ' union all '));
  return null;
end $$;
create trigger service_meters_in after insert on service referencing new table as added for each statement execute function count_meter_services();
create trigger service_meters_out after delete on service referencing old table as removed for each statement execute function count_meter_services();
create trigger service_meters_over after update on service referencing old table as removed new table as added for each statement execute function count_meter_services();
update meter set services = of_meter.n from (select meter_id, count(*)::integer as n from service group by 1) as of_meter where of_meter.meter_id = meter.id;
