-- Accounts and codes of a provider that a customer pays to in the days after.

alter table payment drop constraint payment_method_check;
alter table payment
  add constraint payment_method_check check (method in ('manual', 'balance', 'stripe', 'ecpay', 'ecpay_atm', 'ecpay_cvs', 'bank_transfer', 'prepaid_credit', 'withholding')),
  -- {bank, number, expiresAt}; the bank is null for a code of convenience stores.
  add column instructions jsonb;
-- Only payments of providers have a checkout to ask about.
drop index payment_waiting;
create index payment_waiting on payment (created_at) where state = 'pending' and method not in ('manual', 'balance', 'bank_transfer', 'prepaid_credit', 'withholding') and not is_off_session;
