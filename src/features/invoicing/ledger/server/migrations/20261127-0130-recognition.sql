-- What was billed in advance becomes revenue month by month.

alter table ledger_transaction
  drop constraint ledger_transaction_kind_check,
  add constraint ledger_transaction_kind_check check (kind in ('bill', 'top_up', 'payment', 'refund', 'correction', 'credit_note', 'void', 'dispute', 'credit_grant', 'recognition'));
