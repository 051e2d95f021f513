-- What is planned of each customer, so that a figure of the forecast opens to those who make it. Filled by the next run of the job.
create table metric_planned_customer (
  currency char(3) not null,
  month_no integer not null,
  organization_id text not null references organization,
  minor numeric not null,
  primary key (currency, month_no, organization_id)
);
delete from metric_plan_run;
