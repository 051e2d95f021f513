-- Bills that prepaid credit pays as they are issued.

alter table payment
  drop constraint payment_method_check,
  add constraint payment_method_check check (method in ('manual', 'balance', 'stripe', 'ecpay', 'bank_transfer', 'prepaid_credit'));
