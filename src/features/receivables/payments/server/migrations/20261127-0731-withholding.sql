-- Tax that a customer withheld from a bill is a payment of its own kind: the day on which it was withheld, and the certificate of the
-- tax office, which may follow later.
alter table payment
  drop constraint payment_method_check,
  add constraint payment_method_check check (method in ('manual', 'balance', 'stripe', 'ecpay', 'bank_transfer', 'prepaid_credit', 'withholding')),
  add column withheld_on date,
  add column certificate text not null default '',
  add constraint payment_withheld check ((method = 'withholding') = (withheld_on is not null));
