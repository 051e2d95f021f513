-- What each subscription was charged for each month, so that its cost compares with it. Worked out together with `metric_revenue`, of which it is the
-- same money: '' is what belongs to no subscription.
create table metric_subscription (
  currency char(3) not null,
  month_no integer not null,
  organization_id text not null,
  subscription_id text not null,
  minor bigint not null,
  primary key (month_no, currency, organization_id, subscription_id)
);

insert into metric_stale (month) select month from bill union select month from revenue_schedule;
