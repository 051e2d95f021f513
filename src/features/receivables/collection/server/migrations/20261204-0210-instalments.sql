-- Which part of a bill the running schedule is for; null: the whole bill.
alter table bill_collection add column instalment integer;
