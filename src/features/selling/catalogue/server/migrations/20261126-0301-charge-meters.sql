-- The meters of each service: its own one, and those that charges of its prices name or named. A meter that a service uses is never
-- deleted, and what it measures never changes.

create table service_meter (
  service_id text not null references service on delete cascade,
  meter_id text not null references meter,
  primary key (service_id, meter_id)
);
create index service_of_any_meter on service_meter (meter_id, service_id);

drop trigger service_meters_in on service;
drop trigger service_meters_out on service;
drop trigger service_meters_over on service;

insert into service_meter (service_id, meter_id)
  select id, meter_id from service
  union
  select p.service_id, m.id from (select service_id, pricing from price_version union all select service_id, pricing from price_override) p
    cross join lateral jsonb_array_elements(case when p.pricing ->> 'model' = 'rate_card' then p.pricing -> 'charges' end) c join meter m on m.key = c ->> 'meter';
update meter set services = (select count(*) from service_meter s where s.meter_id = meter.id);

create trigger service_meters_in after insert on service_meter referencing new table as added for each statement execute function count_meter_services();
create trigger service_meters_out after delete on service_meter referencing old table as removed for each statement execute function count_meter_services();

create function note_service_meters() returns trigger language plpgsql as $$
begin
  insert into service_meter (service_id, meter_id) select id, meter_id from added order by meter_id, id on conflict do nothing;
  return null;
end $$;
create trigger service_meters_noted after insert on service referencing new table as added for each statement execute function note_service_meters();

create function note_charge_meters() returns trigger language plpgsql as $$
begin
  insert into service_meter (service_id, meter_id)
    select distinct a.service_id, m.id from added a
      cross join lateral jsonb_array_elements(case when a.pricing ->> 'model' = 'rate_card' then a.pricing -> 'charges' end) c join meter m on m.key = c ->> 'meter'
    order by 2, 1 on conflict do nothing;
  return null;
end $$;
create trigger charge_meters_noted after insert on price_version referencing new table as added for each statement execute function note_charge_meters();
create trigger charge_meters_noted after insert on price_override referencing new table as added for each statement execute function note_charge_meters();
