-- Which stretch of what is paid of a bill each instalment was, kept after the plan ended: what was due of the bill on each of its days.
create table payment_plan_part (
  plan_id text not null references payment_plan,
  bill_id text not null references bill,
  position integer not null,
  due_on date not null,
  from_minor bigint not null,
  until_minor bigint not null,
  primary key (plan_id, bill_id, position)
);
create index payment_plan_part_of on payment_plan_part (bill_id);
insert into payment_plan_part (plan_id, bill_id, position, due_on, from_minor, until_minor)
  select p.plan_id, i.bill_id, i.position, i.due_on, i.from_minor, i.until_minor from bill_instalment i join payment_plan_bill p on p.bill_id = i.bill_id and p.ended_on is null;
create trigger payment_plan_part_fixed before update or delete on payment_plan_part for each row execute function refuse_change();
create trigger payment_plan_part_kept before truncate on payment_plan_part for each statement execute function refuse_change();
