-- Tax that customers withhold from what they pay and hand to the tax office in our name: a claim on the tax office, not cash.
alter table ledger_account
  drop constraint ledger_account_kind_check,
  add constraint ledger_account_kind_check check (kind in ('receivable', 'balance', 'disputed', 'deferred_revenue', 'promotional_credit', 'revenue', 'discounts', 'promotions', 'breakage', 'tax', 'cash', 'fees', 'withheld_tax'));
