-- Money of a statement may be for all bills on a consolidated bill.
alter table bank_row drop constraint bank_row_target_kind_check,
  add constraint bank_row_target_kind_check check (target_kind in ('transfer', 'bill', 'consolidated', 'balance', 'refund'));
alter table bank_application drop constraint bank_application_kind_check,
  add constraint bank_application_kind_check check (kind in ('transfer', 'bill', 'consolidated', 'balance', 'refund'));
