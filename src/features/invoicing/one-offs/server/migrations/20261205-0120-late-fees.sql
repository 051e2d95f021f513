-- One-off charges that the console makes: late fees. Discounts do not lower them, and they may be exempt from tax.
alter table one_off_charge
  add column origin text not null default 'admin' check (origin in ('admin', 'late_fee')),
  add column taxed_as text not null default 'standard' check (taxed_as in ('standard', 'exempt'));
