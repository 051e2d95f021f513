-- Who pays for one subscription, from a month on, whoever pays for the rest of its organization.
create table subscription_payer (
  id text primary key,
  subscription_id text not null references subscription,
  -- Who uses it: a subscription never changes its organization.
  organization_id text not null references organization,
  from_month char(7) not null,
  -- Null: from this month on whoever pays for the organization pays for it again.
  payer_id text references organization check (payer_id <> organization_id),
  set_by text not null,
  set_at timestamptz not null,
  unique (subscription_id, from_month)
);
create index subscription_payer_of_organization on subscription_payer (organization_id);
create index subscription_payer_of_payer on subscription_payer (payer_id) where payer_id is not null;
