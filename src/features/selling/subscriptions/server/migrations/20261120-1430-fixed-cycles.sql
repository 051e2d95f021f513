-- How often a plan's fee comes and how it is divided belongs to every subscription that the plan ever had: another cycle would
-- change fees of months that are over.

create function refuse_cycle_change() returns trigger language plpgsql as $$
begin
  if exists (select 1 from subscription_phase where service_id = new.id) then
    raise exception 'billing cycle and proration of a service that was subscribed to are never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger service_cycle_fixed before update of billing_cycle, proration on service for each row
  when (old.billing_cycle is distinct from new.billing_cycle or old.proration is distinct from new.proration) execute function refuse_cycle_change();
