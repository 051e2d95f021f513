-- Lines of commitments: what their rates change, and what is missing of their amounts at the end of a period. Lines of interim
-- bills, and of the bill of their month that takes them off.

alter table bill_line
  drop constraint bill_line_kind_check,
  add constraint bill_line_kind_check check (kind in ('base_fee', 'credit', 'usage', 'minimum', 'maximum', 'one_time', 'adjustment', 'one_off', 'discount', 'committed_rate', 'overage_rate', 'true_up', 'minimum_spend', 'promotional_credit', 'interim', 'interim_deduction')),
  drop constraint bill_line_of_term,
  add constraint bill_line_of_term check ((kind in ('one_off', 'discount', 'committed_rate', 'overage_rate', 'true_up', 'minimum_spend', 'promotional_credit', 'interim', 'interim_deduction')) = (term is not null));
-- What was missing of commitments is booked by itself: nothing was delivered for it.
alter table bill add column true_up_minor bigint not null default 0;

-- A bill of usage before the end of its month.
alter table bill
  drop constraint bill_kind_check,
  add constraint bill_kind_check check (kind in ('month', 'one_off', 'interim'));
create index bill_interim on bill (month, organization_id) where kind = 'interim' and state <> 'void';

-- From which amount of unbilled usage an interim bill is issued: for all organizations (null), or for one; null as amount: never.
create table interim_threshold (
  id text primary key,
  organization_id text references organization,
  currency char(3) not null,
  amount_minor bigint check (amount_minor > 0),
  set_by text not null,
  set_at timestamptz not null,
  unique nulls not distinct (organization_id, currency),
  -- What is for all organizations says an amount: without one there is no need to say it.
  check (organization_id is not null or amount_minor is not null)
);
