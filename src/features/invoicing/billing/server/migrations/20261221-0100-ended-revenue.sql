-- What is still deferred of a subscription that ended moves to the month of its end, as that month is closed. Of months that were closed before this, and
-- by a console of an earlier release, what endings left stays as it is booked: the checker expects nothing of it.
alter table month_closed add column is_released boolean not null default false;
comment on column revenue_schedule.source is 'Empty: as it was billed. Else the credit note that took some of it back, ''void'', ''ended'' where it moved to the month in which its subscription ended, or ''replaced'' where a void bill that another one stands for had months left.';
