-- Lines for the rest of a changed plan and for what goes beyond a month's maximum.

alter table bill_line
  drop constraint bill_line_kind_check,
  add constraint bill_line_kind_check check (kind in ('base_fee', 'credit', 'usage', 'minimum', 'maximum', 'adjustment'));
