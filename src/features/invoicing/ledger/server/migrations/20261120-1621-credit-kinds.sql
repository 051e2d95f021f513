-- Credit notes and voided bills have transactions of their own kinds.

alter table ledger_transaction
  drop constraint ledger_transaction_kind_check,
  add constraint ledger_transaction_kind_check check (kind in ('bill', 'top_up', 'payment', 'refund', 'correction', 'credit_note', 'void'));
