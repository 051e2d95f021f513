-- What a level (disks in use, gigabytes kept) was over the hours in which it was reported: between reports it stays.
-- Only for meters that take the time-weighted average; worked out anew from the hour's events whenever one comes.

create table usage_level_hour (
  subscription_id text not null,
  hour timestamptz not null,
  first_at timestamptz not null,
  -- From the first report of the hour to its last one: value × milliseconds.
  area numeric not null,
  last_value numeric not null,
  last_at timestamptz not null,
  primary key (subscription_id, hour)
);
