-- Credit that is limited to single charges of rate cards.

-- Null: no service is limited. Else a list of { serviceId, chargeKey }; their services are among `services`.
alter table credit_grant add column charges jsonb check (charges is null or (jsonb_typeof(charges) = 'array' and jsonb_array_length(charges) > 0 and services is not null));

create or replace function keep_credit_grant() returns trigger language plpgsql as $$
begin
  if (old.id, old.organization_id, old.kind, old.origin, old.name_zh_tw, old.name_en_us, old.amount_minor, old.currency, old.priority, old.services, old.charges, old.usage_only, old.starts_on, old.last_month, old.recurs, old.rolls_over, old.note, old.created_at, old.created_by, old.creator_name)
    is distinct from (new.id, new.organization_id, new.kind, new.origin, new.name_zh_tw, new.name_en_us, new.amount_minor, new.currency, new.priority, new.services, new.charges, new.usage_only, new.starts_on, new.last_month, new.recurs, new.rolls_over, new.note, new.created_at, new.created_by, new.creator_name)
    or (old.withdrawn_at is not null and (old.withdrawn_at, old.withdrawn_by, old.withdrawer_name, old.withdrawal_reason) is distinct from (new.withdrawn_at, new.withdrawn_by, new.withdrawer_name, new.withdrawal_reason)) then
    raise exception 'the terms of credit grant % are fixed', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
