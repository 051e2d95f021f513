-- A consolidated bill lists the bills of a month that one organization pays, in one currency. The bills stay what is owed; it is how they are
-- told, shown and paid together.
create table consolidated_bill (
  id text primary key,
  organization_id text not null references organization,
  month char(7) not null,
  currency char(3) not null,
  -- 0, then 1, 2, … for what is issued after it.
  supplement integer not null,
  series text not null,
  sequence integer not null,
  number text not null unique,
  issued_at timestamptz not null,
  -- The latest due date of its bills, and the sum of their totals.
  due_at timestamptz not null,
  total_minor bigint not null,
  unique (series, sequence),
  unique (organization_id, month, currency, supplement)
);
create index consolidated_bill_of_organization on consolidated_bill (organization_id, issued_at desc, id desc);
create index consolidated_bill_issued on consolidated_bill (issued_at desc, id desc);

create table consolidated_bill_part (
  consolidated_id text not null references consolidated_bill,
  -- A bill is on one at most.
  bill_id text primary key references bill,
  position integer not null,
  unique (consolidated_id, position)
);

create trigger consolidated_bill_fixed before update or delete on consolidated_bill for each row execute function refuse_change();
create trigger consolidated_bill_kept before truncate on consolidated_bill for each statement execute function refuse_change();
create trigger consolidated_bill_part_fixed before update or delete on consolidated_bill_part for each row execute function refuse_change();
create trigger consolidated_bill_part_kept before truncate on consolidated_bill_part for each statement execute function refuse_change();

-- The last number of a month's consolidated bills.
create table consolidated_series (
  series text primary key,
  last_number integer not null
);
