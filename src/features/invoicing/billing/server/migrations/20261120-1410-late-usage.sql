-- Usage that comes after its month was closed: noticed as it comes, and settled on the next bill.

-- Which months were closed for which organizations, also when there was nothing to bill: what comes later is never a first bill.
create table month_closed (
  organization_id text not null references organization,
  month char(7) not null,
  closed_at timestamptz not null,
  primary key (organization_id, month)
);
insert into month_closed (organization_id, month, closed_at) select organization_id, month, min(issued_at) from bill group by 1, 2;

-- Months whose usage changed when they were over, or about to be. `version` counts up with every change: a close that has read
-- one version leaves a later one for the next close.
create table late_usage (
  subscription_id text not null references subscription,
  month char(7) not null,
  version bigint not null default 1,
  changed_at timestamptz not null,
  primary key (subscription_id, month)
);

-- The month that an adjustment is for; its bill is of a later one.
alter table bill_line add column for_month char(7), add check ((kind = 'adjustment') = (for_month is not null));
