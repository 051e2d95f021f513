-- A provider that charges only multiples of more than a currency's smallest unit ends the collection of a bill.
alter table bill_collection drop constraint bill_collection_stopped_check;
alter table bill_collection add constraint bill_collection_stopped_check check (stopped in ('confirm', 'declined', 'given_up', 'refused', 'steps'));
