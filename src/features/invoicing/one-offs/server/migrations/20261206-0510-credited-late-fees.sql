-- A late fee that a credit note took back: a void bill gives it back to none, and no later bill has it. Null: it was not.
alter table one_off_charge add column credited_reason text;

create or replace function one_off_charge_only_moves() returns trigger language plpgsql as $$
begin
  if (old.id, old.organization_id, old.subscription_id, old.kind, old.name, old.quantity, old.unit_price, old.currency, old.amount_minor, old.charge_on, old.billing, old.note, old.created_by, old.created_at) is distinct from
     (new.id, new.organization_id, new.subscription_id, new.kind, new.name, new.quantity, new.unit_price, new.currency, new.amount_minor, new.charge_on, new.billing, new.note, new.created_by, new.created_at)
     or (old.credited_reason is not null and old.credited_reason is distinct from new.credited_reason)
     or new.version <= old.version
     or not ((old.state, new.state) in (('awaiting_approval', 'approved'), ('awaiting_approval', 'rejected'), ('awaiting_approval', 'withdrawn'),
       ('approved', 'approved'), ('approved', 'billed'), ('approved', 'withdrawn'), ('billed', 'approved'))
       -- Credited on its bill, and given back to none when that is voided.
       or (new.credited_reason is not null and (old.state, new.state) in (('billed', 'billed'), ('billed', 'withdrawn')))) then
    raise exception 'of a one-off charge only the state moves on' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- Those that were credited before and given back since would come again.
with noted as (
  update one_off_charge c set credited_reason = f.waive_reason, state = case when c.state = 'approved' then 'withdrawn' else c.state end, version = c.version + 1
    from late_fee f where f.one_off_id = c.id and f.credit_note_id is not null and c.state in ('approved', 'billed') returning c.id, c.version, c.state, c.credited_reason)
insert into one_off_step (one_off_id, version, step, at, by, reason) select id, version, 'withdrawn', now(), null, credited_reason from noted where state = 'withdrawn';
