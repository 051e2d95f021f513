-- Months whose events were archived before the console recorded which months have left the database.
insert into setting (key, value, changed_at, changed_by)
  select 'usage.monthsLeft', jsonb_agg(distinct month order by month), now(), 'usage-partitions' from usage_archive where completed_at is not null having count(*) > 0
  on conflict (key) do nothing;
