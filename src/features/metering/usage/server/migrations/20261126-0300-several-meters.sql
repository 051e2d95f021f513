-- Usage of several meters on one subscription.
-- meter: '' is the service's own one; else the key of a meter that a charge of the service's rate card names; '*' counts every event
-- that does not feed the service's own meter once, however many meters it feeds.
-- cell: '' for a meter without dimensions; else the JSON text of the values of its dimensions in their order, null where an event
-- has none.
-- Each table is altered in one statement, so that its rows are read once, for the new index.

alter table usage_hour add column meter text collate "C" not null default '', add column cell text collate "C" not null default '',
  -- The smallest value; null where it was not noted yet.
  add column min numeric,
  drop constraint usage_hour_pkey, add primary key (subscription_id, meter, hour, cell);
alter table usage_day add column meter text collate "C" not null default '', add column cell text collate "C" not null default '', add column min numeric,
  drop constraint usage_day_pkey, add primary key (subscription_id, meter, day, cell);
alter table usage_month add column meter text collate "C" not null default '', add column cell text collate "C" not null default '', add column min numeric,
  drop constraint usage_month_pkey, add primary key (subscription_id, meter, month, cell);

alter table usage_distinct add column meter text collate "C" not null default '', add column cell text collate "C" not null default '',
  drop constraint usage_distinct_pkey, add primary key (subscription_id, meter, month, cell, value);
alter table usage_distinct_hour add column meter text collate "C" not null default '', add column cell text collate "C" not null default '',
  drop constraint usage_distinct_hour_pkey, add primary key (subscription_id, meter, hour, cell, value);
-- Of a meter with dimensions, '' is the level that all its events together report.
alter table usage_level_hour add column meter text collate "C" not null default '', add column cell text collate "C" not null default '',
  drop constraint usage_level_hour_pkey, add primary key (subscription_id, meter, cell, hour);

-- What the events of each sample add up to, for meters that count a percentile of them. A sample without events has no row.
create table usage_sample (
  subscription_id text not null,
  meter text collate "C" not null,
  cell text collate "C" not null,
  start timestamptz not null,
  sum numeric not null,
  primary key (subscription_id, meter, start, cell)
);

-- Null: the type of the service's own meter.
alter table usage_event add column type text collate "C";
