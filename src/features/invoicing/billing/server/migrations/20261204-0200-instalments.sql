-- A bill whose amount is due in parts, for as long as that is agreed. Each part is a stretch of what is paid of
-- the bill: payments fill the earliest first, and credit notes, which lower the whole, shorten from the end.
create table bill_instalment (
  bill_id text not null references bill,
  position integer not null check (position > 0),
  due_on date not null,
  from_minor bigint not null,
  until_minor bigint not null check (until_minor > from_minor),
  primary key (bill_id, position)
);
