-- A bill whose payment a provider took back is owed again: it is open, and less of it is paid than before. Nothing else reopens one.

create or replace function refuse_bill_change() returns trigger language plpgsql as $$
declare
  moving constant text[] := array['state', 'paid_minor', 'paid_at', 'credited_minor', 'returned_minor'];
begin
  if tg_op = 'DELETE' or
     (to_jsonb(new) - moving) is distinct from (to_jsonb(old) - moving) or
     old.state = 'void' or (old.state = 'paid' and new.state = 'open' and new.paid_minor >= old.paid_minor) or new.credited_minor < old.credited_minor or new.returned_minor < old.returned_minor
  then
    raise exception 'an issued bill is never changed or removed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
