-- Money for a consolidated bill: it joins the balance, and pays the bill's parts from there at once.
alter table payment add consolidated_id text references consolidated_bill;
create index payment_of_consolidated on payment (consolidated_id) where consolidated_id is not null;
