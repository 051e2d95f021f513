-- What a voided bill had used of prepaid credit goes back to the credit, not to the balance. What it had of discounts and promotional
-- credit is reversed on their accounts, too.

alter table bill_void
  add column to_prepaid_minor bigint not null default 0 check (to_prepaid_minor >= 0),
  drop constraint bill_void_check,
  add constraint bill_void_settled check (net_minor + tax_minor = to_due_minor + to_balance_minor + to_prepaid_minor);
