-- What an organization means to spend a month, and what of it was told.
create table budget (
  id text primary key,
  organization_id text not null references organization,
  -- Null: all services together.
  service_id text references service,
  name text not null,
  amount bigint not null check (amount > 0),
  currency char(3) not null,
  -- Percent of the amount at which it is told, rising.
  thresholds integer[] not null,
  created_by text not null,
  created_at timestamptz not null
);
create index budget_of_organization on budget (organization_id, id);

create table budget_told (
  budget_id text not null references budget on delete cascade,
  month char(7) not null,
  kind text not null check (kind in ('actual', 'forecast')),
  threshold integer not null,
  told_at timestamptz not null,
  primary key (budget_id, month, kind, threshold)
);
