-- Per day of the organization's own zone: a month of a chart is thirty rows, not seven hundred.

create table usage_day (
  subscription_id text not null,
  day date not null,
  event_count bigint not null,
  sum numeric not null,
  max numeric not null,
  last_value numeric not null,
  last_at timestamptz not null,
  last_event text collate "C" not null,
  primary key (subscription_id, day)
);
insert into usage_day (subscription_id, day, event_count, sum, max, last_value, last_at, last_event)
  select h.subscription_id, (h.hour at time zone o.time_zone)::date, sum(h.event_count), sum(h.sum), coalesce(max(h.max) filter (where h.event_count > 0), 0),
    coalesce((array_agg(h.last_value order by h.last_at desc, h.last_event desc) filter (where h.event_count > 0))[1], 0), max(h.last_at),
    coalesce((array_agg(h.last_event order by h.last_at desc, h.last_event desc) filter (where h.event_count > 0))[1], '')
  from usage_hour h join subscription b on b.id = h.subscription_id join organization o on o.id = b.organization_id group by 1, 2;
