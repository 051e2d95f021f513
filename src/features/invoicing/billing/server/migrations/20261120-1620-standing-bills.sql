-- Bills that are credited, voided and replaced: what they say stays, and only one of a month stands.

-- What credit notes took off what was due; what they gave back of what was paid went to the balance and is not in it.
alter table bill add column credited_minor bigint not null default 0;

-- A void bill keeps when it was paid.
alter table bill
  drop constraint bill_check2,
  add constraint bill_paid_when check ((state <> 'paid' or paid_at is not null) and (state <> 'open' or paid_at is null)),
  add constraint bill_credited check (credited_minor between 0 and greatest(0, total_minor - paid_minor)),
  add constraint bill_settled check (state <> 'paid' or paid_minor + credited_minor = total_minor);

-- One bill of an organization's month and currency stands; void ones keep their numbers beside it.
alter table bill drop constraint bill_organization_id_month_currency_key;
create unique index bill_standing on bill (organization_id, month, currency) where state <> 'void';
create index bill_void_of_month on bill (organization_id, month) where state = 'void';

-- What was issued stays; only how far it is paid and credited and its state may change. A void bill never changes again.
create or replace function refuse_bill_change() returns trigger language plpgsql as $$
declare
  moving constant text[] := array['state', 'paid_minor', 'paid_at', 'credited_minor'];
begin
  if tg_op = 'DELETE' or
     (to_jsonb(new) - moving) is distinct from (to_jsonb(old) - moving) or
     old.state = 'void' or (old.state = 'paid' and new.state = 'open') or new.credited_minor < old.credited_minor
  then
    raise exception 'an issued bill is never changed or removed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
