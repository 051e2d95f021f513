-- Lines for the charges of a rate card: which charge, and fees that come once.

alter table bill_line
  drop constraint bill_line_kind_check,
  add constraint bill_line_kind_check check (kind in ('base_fee', 'credit', 'one_time', 'usage', 'minimum', 'maximum', 'adjustment')),
  -- The charge's key and its name in both languages, as they were; null where the service has a single price.
  add column charge jsonb;
