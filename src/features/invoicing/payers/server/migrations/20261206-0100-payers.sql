-- Who pays for an organization, from a month on.
create table organization_payer (
  id text primary key,
  organization_id text not null references organization,
  from_month char(7) not null,
  -- Null: from this month on it pays for itself again.
  payer_id text references organization check (payer_id <> organization_id),
  set_by text not null,
  set_at timestamptz not null,
  unique (organization_id, from_month)
);
create index organization_payer_of_payer on organization_payer (payer_id) where payer_id is not null;
