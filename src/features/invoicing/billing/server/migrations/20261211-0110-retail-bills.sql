-- Bills of resellers to their customers. What the operator charges for the same month is a bill of the reseller (bill.used_by_id).
create table retail_bill (
  id text primary key,
  reseller_id text not null references reseller (organization_id),
  organization_id text not null references organization,
  month char(7) not null,
  currency char(3) not null,
  -- The reseller's own, without gaps in its month.
  sequence int not null check (sequence > 0),
  number text not null,
  issued_at timestamptz not null,
  due_at timestamptz not null,
  net_minor bigint not null,
  tax_rate numeric(7, 4) not null,
  tax_minor bigint not null,
  total_minor bigint not null check (total_minor = net_minor + tax_minor),
  -- Who sells and who buys, as they were called when it was issued.
  seller jsonb not null,
  buyer jsonb not null,
  -- What the reseller notes of its payment; null: not paid.
  paid_on date,
  paid_note text not null default '',
  unique (organization_id, month, currency),
  unique (reseller_id, month, sequence),
  unique (reseller_id, number)
);
create index retail_bill_newest on retail_bill (reseller_id, issued_at desc, id desc);
create index retail_bill_of_organization on retail_bill (organization_id, issued_at desc, id desc);

create table retail_bill_line (
  retail_bill_id text not null references retail_bill,
  position int not null,
  kind text not null,
  subscription_id text references subscription,
  service_id text,
  service_name text not null,
  -- Made of the reseller's price and its mark-up; no row has it.
  price_version_id text,
  quantity numeric not null,
  unit text not null,
  unit_price numeric,
  exact_amount numeric not null,
  amount_minor bigint not null,
  arithmetic jsonb not null,
  for_month char(7),
  charge jsonb,
  primary key (retail_bill_id, position)
);
create index retail_bill_line_of_subscription on retail_bill_line (subscription_id);

-- What was issued stays as it was; only its payment is noted.
create function retail_bill_only_paid() returns trigger language plpgsql as $$
begin
  if (old.id, old.reseller_id, old.organization_id, old.month, old.currency, old.sequence, old.number, old.issued_at, old.due_at, old.net_minor, old.tax_rate, old.tax_minor, old.total_minor, old.seller, old.buyer) is distinct from
     (new.id, new.reseller_id, new.organization_id, new.month, new.currency, new.sequence, new.number, new.issued_at, new.due_at, new.net_minor, new.tax_rate, new.tax_minor, new.total_minor, new.seller, new.buyer) then
    raise exception 'of a retail bill only the payment is noted' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger retail_bill_paid before update on retail_bill for each row execute function retail_bill_only_paid();
create trigger retail_bill_stays before delete on retail_bill for each row execute function refuse_change();
create trigger retail_bill_kept before truncate on retail_bill for each statement execute function refuse_change();
create trigger retail_bill_line_fixed before update or delete on retail_bill_line for each row execute function refuse_change();
create trigger retail_bill_line_kept before truncate on retail_bill_line for each statement execute function refuse_change();
