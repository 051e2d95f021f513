-- Which organizations have their bills paid from the balance by itself, and corrections of money that was booked to the wrong one.

create table automatic_payment (
  organization_id text primary key references organization,
  is_on boolean not null,
  -- Pay as far as the balance goes; else a bill is paid whole or not at all.
  is_partial boolean not null,
  changed_at timestamptz not null,
  changed_by text not null
);
create index automatic_payment_on on automatic_payment (organization_id) where is_on;

-- 'correction': it was never this organization's money.
alter table payment_refund drop constraint payment_refund_origin_check;
alter table payment_refund add constraint payment_refund_origin_check check (origin in ('admin', 'provider', 'correction'));
