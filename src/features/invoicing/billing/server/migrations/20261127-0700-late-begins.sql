-- How many subscriptions were begun within a month after it was over. A close that planned the month before such a begin plans it
-- again, so that no fee is left out between planning and issuing.
alter table bill_series add column late_begins integer not null default 0;
