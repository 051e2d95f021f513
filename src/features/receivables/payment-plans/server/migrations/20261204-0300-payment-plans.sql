-- What was agreed on unpaid bills: instalments, or one promised date. The bills stay due in full in the ledger;
-- while a plan runs they are due in parts (bill_instalment), and dunning waits.
create table payment_plan (
  id text primary key,
  organization_id text not null references organization,
  currency char(3) not null,
  grace_days integer not null check (grace_days between 0 and 60),
  note text not null,
  agreed_at timestamptz not null,
  agreed_by text not null,
  agreer_name text not null,
  ended_at timestamptz,
  ending text check (ending in ('kept', 'missed', 'cancelled', 'changed')),
  end_reason text not null default '',
  check ((ended_at is null) = (ending is null))
);
create index payment_plan_of on payment_plan (organization_id, agreed_at);

-- As agreed; never changed.
create table payment_plan_instalment (
  plan_id text not null references payment_plan,
  position integer not null,
  due_on date not null,
  amount_minor bigint not null check (amount_minor > 0),
  primary key (plan_id, position)
);

-- The days of a plan do not count on the ladder of a bill.
create table payment_plan_bill (
  plan_id text not null references payment_plan,
  bill_id text not null references bill,
  agreed_on date not null,
  ended_on date,
  primary key (plan_id, bill_id)
);
create unique index payment_plan_bill_one on payment_plan_bill (bill_id) where ended_on is null;
create index payment_plan_bill_of on payment_plan_bill (bill_id);
