-- Whether who pays gets one consolidated bill a month, from a month on; without a row: separate bills.
create table payer_billing (
  organization_id text not null references organization,
  from_month char(7) not null,
  is_consolidated boolean not null,
  set_by text not null,
  set_at timestamptz not null,
  primary key (organization_id, from_month)
);
