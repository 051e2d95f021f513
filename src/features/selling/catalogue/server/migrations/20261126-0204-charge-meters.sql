-- The meters that rate cards of a service name, in any of its prices: what was measured for one is kept, and the meter stays.

create table service_charge_meter (
  service_id text not null references service on delete cascade,
  meter_id text not null references meter,
  primary key (meter_id, service_id)
);
create index service_charge_meter_of_service on service_charge_meter (service_id);

-- They count among the services that use a meter.
create function count_charge_meters() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update meter set services = services + 1 where id = new.meter_id;
  else
    update meter set services = services - 1 where id = old.meter_id;
  end if;
  return null;
end $$;
create trigger service_charge_meter_in after insert on service_charge_meter for each row execute function count_charge_meters();
create trigger service_charge_meter_out after delete on service_charge_meter for each row execute function count_charge_meters();
