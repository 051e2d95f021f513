-- Business metrics: what each customer was charged for each month, and the sums that the finance page shows. Everything here is worked out from
-- bills, credit notes and the revenue schedule, and worked out again for months that changed; nothing else reads or writes it. Months are counted
-- (year * 12 + month - 1), so that the month before is one less.

-- Months to work out again, a row for each change. Rows are only added, by triggers in the transaction that changes bills, so that a console of
-- an earlier release, which knows nothing of metrics, marks them too; and nobody waits for another.
create table metric_stale (
  id bigint generated always as identity primary key,
  month char(7) not null
);

-- No foreign key: an organization is never removed, and a month of many thousands is written at once.
create table metric_revenue (
  currency char(3) not null,
  month_no integer not null,
  organization_id text not null,
  recurring_minor bigint not null,
  usage_minor bigint not null,
  once_minor bigint not null,
  primary key (month_no, currency, organization_id)
);

-- The first month in which a customer had recurring revenue.
create table metric_first (
  currency char(3) not null,
  organization_id text not null,
  month_no integer not null,
  primary key (currency, organization_id)
);

create table metric_month (
  currency char(3) not null,
  month_no integer not null,
  -- With recurring revenue above zero.
  customers integer not null,
  recurring_minor numeric not null,
  usage_minor numeric not null,
  once_minor numeric not null,
  primary key (currency, month_no)
);

create table metric_movement (
  currency char(3) not null,
  month_no integer not null,
  kind text not null check (kind in ('new', 'reactivation', 'expansion', 'contraction', 'churn')),
  customers integer not null,
  minor numeric not null,
  primary key (currency, month_no, kind)
);

create table metric_cohort (
  currency char(3) not null,
  first_no integer not null,
  month_no integer not null,
  customers integer not null,
  minor numeric not null,
  primary key (currency, first_no, month_no)
);

-- All months of a currency together, and what the ledger says of the same: equal, or something is wrong.
create table metric_proof (
  currency char(3) primary key,
  months_minor numeric not null,
  ledger_minor numeric not null,
  worked_out_at timestamptz not null
);

create function mark_metrics_of_issued() returns trigger language plpgsql as $$
begin
  insert into metric_stale (month) select distinct month from fresh;
  return null;
end $$;
create trigger metrics_of_bills after insert on bill referencing new table as fresh for each statement execute function mark_metrics_of_issued();
create trigger metrics_of_schedule after insert on revenue_schedule referencing new table as fresh for each statement execute function mark_metrics_of_issued();

-- Fees for several months lie in the months that they are spread over, too.
create function mark_metrics_of_void() returns trigger language plpgsql as $$
begin
  insert into metric_stale (month) select new.month union select month from revenue_schedule where bill_id = new.id;
  return null;
end $$;
create trigger metrics_of_void after update on bill for each row when (new.state = 'void' and old.state <> 'void') execute function mark_metrics_of_void();

create function mark_metrics_of_credit() returns trigger language plpgsql as $$
begin
  insert into metric_stale (month) select month from bill where id = new.bill_id union select month from revenue_schedule where bill_id = new.bill_id;
  return null;
end $$;
create trigger metrics_of_credit after insert on credit_note for each row execute function mark_metrics_of_credit();

insert into metric_stale (month) select month from bill union select month from revenue_schedule;
