-- What reduces bills before tax. What a discount gives never changes; whom it is for, and how often, may.
create table discount (
  id text primary key,
  name_zh_tw text not null,
  name_en_us text not null,
  -- Either a percentage or an amount a month.
  percent numeric(7, 4) check (percent > 0 and percent <= 100),
  amount bigint check (amount > 0),
  -- Of a percentage the most it takes a month.
  maximum bigint check (maximum > 0),
  -- Of the amount or the maximum; a percentage without a maximum has none.
  currency char(3),
  duration text not null check (duration in ('once', 'months', 'until', 'forever')),
  months integer check (months between 1 and 120),
  until date,
  -- null: everything; else a list of { serviceId, chargeKeys: keys or null }.
  scope jsonb,
  -- In capital letters; null: only an Admin gives it.
  code text,
  redeemable_until date,
  max_redemptions integer check (max_redemptions > 0),
  max_per_organization integer not null check (max_per_organization > 0),
  audience text not null check (audience in ('anyone', 'new', 'named')),
  organization_ids text[] not null,
  archived_at timestamptz,
  created_by text,
  created_at timestamptz not null,
  version integer not null default 1,
  check ((percent is null) <> (amount is null)),
  check (maximum is null or percent is not null),
  check ((currency is null) = (amount is null and maximum is null)),
  check ((months is null) = (duration <> 'months')),
  check ((until is null) = (duration <> 'until'))
);
-- A code may be used again once its discount is archived.
create unique index discount_code on discount (code) where archived_at is null;

-- A discount that an organization has.
create table discount_redemption (
  id text primary key,
  discount_id text not null references discount,
  organization_id text not null references organization,
  -- The only subscription that it reduces; null: all of the organization.
  subscription_id text references subscription,
  redeemed_at timestamptz not null,
  -- Null: the console itself.
  redeemed_by text,
  -- The organization's month at that moment, in its time zone.
  first_month char(7) not null,
  -- When an Admin took it away.
  ended_at timestamptz,
  -- Grows when a bill takes it and when it ends, so that a bill is never made of what has changed meanwhile.
  version bigint not null default 1
);
create index discount_redemption_of_organization on discount_redemption (organization_id, redeemed_at, id);
create index discount_redemption_of_discount on discount_redemption (discount_id, id);

-- What a discount took off a bill. Bills belong to a feature that is built on this one, so they are not referenced.
create table discount_application (
  redemption_id text not null references discount_redemption,
  bill_id text not null,
  bill_number text not null,
  month char(7) not null,
  currency char(3) not null,
  minor bigint not null,
  -- When the bill was voided.
  voided_at timestamptz,
  primary key (redemption_id, bill_id)
);
create index discount_application_of_bill on discount_application (bill_id);
