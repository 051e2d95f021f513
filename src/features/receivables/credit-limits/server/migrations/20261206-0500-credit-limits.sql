-- The most that may be outstanding: for all organizations (null), or for one; null as amount: no limit for it.
create table credit_limit (
  id text primary key,
  organization_id text references organization,
  currency char(3) not null,
  amount_minor bigint check (amount_minor > 0),
  set_by text not null,
  set_at timestamptz not null,
  unique nulls not distinct (organization_id, currency),
  -- What is for all organizations says an amount: without one there is no need to say it.
  check (organization_id is not null or amount_minor is not null)
);

-- What was last found of each organization with a limit: for lists, and so that members are told once for each crossing.
create table credit_limit_state (
  organization_id text not null references organization,
  currency char(3) not null,
  used_minor bigint not null,
  limit_minor bigint not null,
  level text not null check (level in ('within', 'near', 'reached')),
  since timestamptz not null,
  primary key (organization_id, currency)
);
create index credit_limit_state_level on credit_limit_state (level, organization_id) where level <> 'within';

-- When an organization was looked at last.
create table credit_limit_check (
  organization_id text primary key references organization,
  checked_at timestamptz not null
);
create index credit_limit_check_age on credit_limit_check (checked_at);
