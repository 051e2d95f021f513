-- What credit notes gave back of what was paid: it went to the organization's balance. A bill so says all that became of its total.

alter table bill add column returned_minor bigint not null default 0 check (returned_minor >= 0);

create or replace function refuse_bill_change() returns trigger language plpgsql as $$
declare
  moving constant text[] := array['state', 'paid_minor', 'paid_at', 'credited_minor', 'returned_minor'];
begin
  if tg_op = 'DELETE' or
     (to_jsonb(new) - moving) is distinct from (to_jsonb(old) - moving) or
     old.state = 'void' or (old.state = 'paid' and new.state = 'open') or new.credited_minor < old.credited_minor or new.returned_minor < old.returned_minor
  then
    raise exception 'an issued bill is never changed or removed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
