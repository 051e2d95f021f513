-- What an organization wants to read on its next bills: a purchase-order number, and words of its own.

alter table organization
  add column purchase_order text not null default '',
  add column billing_reference text not null default '';
