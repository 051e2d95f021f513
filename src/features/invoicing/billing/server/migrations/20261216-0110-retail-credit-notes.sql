-- What resellers take back of their bills. A bill stays as it was; its credit notes add up to no more than it.
create table retail_credit_note (
  id text primary key,
  retail_bill_id text not null references retail_bill,
  reseller_id text not null references reseller (organization_id),
  -- The reseller's own, without gaps.
  sequence int not null check (sequence > 0),
  number text not null,
  reason text not null check (reason <> ''),
  net_minor bigint not null check (net_minor >= 0),
  tax_minor bigint not null check (tax_minor >= 0),
  total_minor bigint not null check (total_minor > 0 and total_minor = net_minor + tax_minor),
  issued_by text not null,
  issued_at timestamptz not null,
  unique (reseller_id, sequence),
  unique (reseller_id, number)
);
create index retail_credit_note_of_bill on retail_credit_note (retail_bill_id);
create trigger retail_credit_note_fixed before update or delete on retail_credit_note for each row execute function refuse_change();
create trigger retail_credit_note_kept before truncate on retail_credit_note for each statement execute function refuse_change();

-- Whatever writes them: together they never exceed their bill, and whoever adds one waits for the one before.
create function retail_credit_note_within() returns trigger language plpgsql as $$
declare
  billed bigint;
  credited bigint;
begin
  select total_minor into billed from retail_bill where id = new.retail_bill_id and reseller_id = new.reseller_id for no key update;
  select coalesce(sum(total_minor), 0) into credited from retail_credit_note where retail_bill_id = new.retail_bill_id;
  if billed is null or credited + new.total_minor > billed then
    raise exception 'credit notes exceed their retail bill' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger retail_credit_note_of_its_bill before insert on retail_credit_note for each row execute function retail_credit_note_within();
