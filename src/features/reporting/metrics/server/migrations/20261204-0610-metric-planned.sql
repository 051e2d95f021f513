-- Recurring revenue of months to come, as subscriptions stand: what their bills will charge, worked out now and then by a job.
create table metric_planned (
  currency char(3) not null,
  month_no integer not null,
  minor numeric not null,
  primary key (currency, month_no)
);
-- When that was worked out, after which closed month, and how long it took: a large installation does it less often.
create table metric_plan_run (
  id integer primary key default 1 check (id = 1),
  last_no integer not null,
  worked_out_at timestamptz not null,
  took_ms integer not null
);
