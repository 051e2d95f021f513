-- What of a bill's draw each of its lines came to, for files that name the commitment beside the usage.

-- A list of { position, minor } whose sum is the draw; null: of before this was kept.
alter table commitment_use add column draws jsonb check (jsonb_typeof(draws) = 'array');

create or replace function keep_commitment_use() returns trigger language plpgsql as $$
begin
  if old.released_at is not null or new.released_at is null
    or (old.commitment_id, old.bill_id, old.bill_number, old.month, old.period, old.drawn_minor, old.true_up_minor, old.is_settlement, old.at, old.draws)
      is distinct from (new.commitment_id, new.bill_id, new.bill_number, new.month, new.period, new.drawn_minor, new.true_up_minor, new.is_settlement, new.at, new.draws) then
    raise exception 'what bill % drew is fixed', old.bill_number using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
