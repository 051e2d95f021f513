-- What a plan is besides its price: how its fee is divided, whether it begins with a trial, and what it can be changed to.

alter table service
  add column proration text not null default 'day' check (proration in ('day', 'second')),
  add column trial_days integer not null default 0 check (trial_days between 0 and 730),
  add column family text not null default '',
  -- Grows with every change: two people who edit the same service notice each other.
  add column version integer not null default 1,
  drop constraint service_aggregation_check,
  add constraint service_aggregation_check check (aggregation in ('sum', 'count', 'max', 'unique_count', 'latest', 'time_weighted_average'));
create index service_of_family on service (family) where family <> '';
