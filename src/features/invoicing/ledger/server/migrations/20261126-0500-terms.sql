-- What commercial terms are booked on: prepaid and promotional credit, what discounts took off revenue, and credit that expired.

alter table ledger_account
  drop constraint ledger_account_kind_check,
  add constraint ledger_account_kind_check check (kind in ('receivable', 'balance', 'disputed', 'deferred_revenue', 'promotional_credit', 'revenue', 'discounts', 'promotions', 'breakage', 'tax', 'cash', 'fees')),
  drop constraint ledger_account_owner,
  add constraint ledger_account_owner check ((kind in ('receivable', 'balance', 'disputed', 'deferred_revenue', 'promotional_credit')) = (organization_id is not null));
alter table ledger_transaction
  drop constraint ledger_transaction_kind_check,
  add constraint ledger_transaction_kind_check check (kind in ('bill', 'top_up', 'payment', 'refund', 'correction', 'credit_note', 'void', 'dispute', 'credit_grant'));
