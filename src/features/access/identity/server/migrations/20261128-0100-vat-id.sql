-- Where an organization is established, its VAT id, and where it receives electronic documents. Empty: nothing is known, and it is
-- taxed as it was before.

alter table organization
  add column country text not null default '',
  add column vat_id text not null default '',
  add column electronic_address text not null default '';
