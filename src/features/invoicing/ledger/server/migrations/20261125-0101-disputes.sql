-- Disputed card payments: what a provider withdrew and neither a bill nor a balance bears, and what providers charge for it.

alter table ledger_account
  drop constraint ledger_account_kind_check,
  add constraint ledger_account_kind_check check (kind in ('receivable', 'balance', 'disputed', 'revenue', 'tax', 'cash', 'fees')),
  drop constraint ledger_account_check,
  add constraint ledger_account_owner check ((kind in ('receivable', 'balance', 'disputed')) = (organization_id is not null));
alter table ledger_transaction
  drop constraint ledger_transaction_kind_check,
  add constraint ledger_transaction_kind_check check (kind in ('bill', 'top_up', 'payment', 'refund', 'correction', 'credit_note', 'void', 'dispute'));
