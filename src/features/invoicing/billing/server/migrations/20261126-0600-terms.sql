-- Lines that no subscription is charged for: discounts, credit that was given away, one-off charges, what is missing of a minimum spend.

alter table bill_line
  alter column subscription_id drop not null,
  alter column service_id drop not null,
  alter column price_version_id drop not null,
  -- What was agreed: its id, its name in both languages, and what it took from which lines.
  add column term jsonb,
  drop constraint bill_line_kind_check,
  add constraint bill_line_kind_check check (kind in ('base_fee', 'credit', 'usage', 'minimum', 'maximum', 'one_time', 'adjustment', 'one_off', 'discount', 'minimum_spend', 'promotional_credit')),
  add constraint bill_line_of_term check ((kind in ('one_off', 'discount', 'minimum_spend', 'promotional_credit')) = (term is not null)),
  add constraint bill_line_of_service check (term is not null or (subscription_id is not null and service_id is not null and price_version_id is not null));

-- A bill of a month, or one of a one-off charge alone. Only bills of months are one for each organization, month and currency.
alter table bill add column kind text not null default 'month' check (kind in ('month', 'one_off'));
-- What discounts took off and what promotional credit gave is part of the net amount and booked by itself. Prepaid credit paid the bill as it was issued.
alter table bill
  add column discount_minor bigint not null default 0,
  add column promotional_minor bigint not null default 0 check (promotional_minor >= 0);
drop index bill_standing;
create unique index bill_standing on bill (organization_id, month, currency) where state <> 'void' and kind = 'month';
