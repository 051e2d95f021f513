-- What was paid and credited of a bill, after each change: what was due of it on a day that is over. Late fees are worked out from it.
create table bill_due_change (
  bill_id text not null references bill,
  position integer generated always as identity,
  at timestamptz not null,
  paid_minor bigint not null,
  credited_minor bigint not null,
  is_void boolean not null,
  primary key (bill_id, position)
);
create trigger bill_due_change_fixed before update or delete on bill_due_change for each row execute function refuse_change();
create trigger bill_due_change_kept before truncate on bill_due_change for each statement execute function refuse_change();
