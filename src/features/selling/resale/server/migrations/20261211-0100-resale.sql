-- Organizations that sell to organizations of their own.
create table reseller (
  organization_id text primary key references organization,
  -- The name under which it sells, and how its bills are numbered.
  name text not null check (name <> ''),
  number_prefix text not null check (number_prefix ~ '^[A-Z0-9]{1,8}$'),
  -- Percent on its bills.
  tax_rate numeric(7, 4) not null check (tax_rate between 0 and 100),
  due_days int not null check (due_days between 0 and 365),
  -- How its customers pay.
  instructions text not null default '',
  -- Null while it may take customers.
  stopped_at timestamptz,
  made_by text not null,
  made_at timestamptz not null
);

-- To whose customers an organization belongs, from a month on.
create table resold_organization (
  organization_id text not null references organization,
  from_month char(7) not null,
  -- Null: from this month on it is the operator's own customer again.
  reseller_id text references reseller (organization_id) check (reseller_id <> organization_id),
  set_by text not null,
  set_at timestamptz not null,
  primary key (organization_id, from_month)
);
create index resold_organization_of_reseller on resold_organization (reseller_id) where reseller_id is not null;

-- What a reseller adds to what it pays, from a month on of each customer's own calendar.
create table retail_mark_up (
  reseller_id text not null references reseller (organization_id),
  from_month char(7) not null,
  mark_ups jsonb not null,
  set_by text not null,
  set_at timestamptz not null,
  primary key (reseller_id, from_month)
);
