-- Lists of services at any size: totals of every filter from counters, pages and searches from indexes.

-- How many services share a status, type, category and release state; any filter over them is a sum of few rows.
create table service_facet (
  status text not null,
  type text not null,
  category text not null,
  release_state text not null,
  count bigint not null,
  primary key (status, type, category, release_state)
);
create table service_tag (
  tag text primary key,
  count bigint not null
);

create function count_service_facets() returns trigger language plpgsql as $$
declare
  parts text[] := array[]::text[];
  changed text;
begin
  if tg_op in ('INSERT', 'UPDATE') then parts := parts || 'select status, type, category, release_state, tags, 1 as n from added'::text; end if;
  if tg_op in ('DELETE', 'UPDATE') then parts := parts || 'select status, type, category, release_state, tags, -1 as n from removed'::text; end if;
  changed := array_to_string(parts, ' union all ');
  execute format('insert into service_facet as c (status, type, category, release_state, count)
    select status, type, category, release_state, sum(n) from (%s) as changed group by 1, 2, 3, 4 having sum(n) <> 0 order by 1, 2, 3, 4
    on conflict (status, type, category, release_state) do update set count = c.count + excluded.count', changed);
  execute format('insert into service_tag as c (tag, count)
    select tag, sum(n) from (%s) as changed cross join lateral (select distinct unnest(tags) as tag) as each group by 1 having sum(n) <> 0 order by 1
    on conflict (tag) do update set count = c.count + excluded.count', changed);
  return null;
end $$;
create trigger service_facets_in after insert on service referencing new table as added for each statement execute function count_service_facets();
create trigger service_facets_out after delete on service referencing old table as removed for each statement execute function count_service_facets();
create trigger service_facets_over after update on service referencing old table as removed new table as added for each statement execute function count_service_facets();
insert into service_facet select status, type, category, release_state, count(*) from service group by 1, 2, 3, 4;
insert into service_tag select tag, count(*) from service cross join lateral (select distinct unnest(tags) as tag) as each group by 1;

create index service_by_name on service (name, id);
create index service_by_age on service (created_at, id);
create index service_by_type on service (type, id);
create index service_by_status on service (status, id);
create index service_of_type on service (type, name, id);
create index service_of_category on service (category, name, id);
create index service_of_status on service (status, name, id);
create index service_of_release on service (release_state, name, id);
create index service_by_tag on service using gin (tags);

-- Searching in the middle of words; a server without the means reads the list instead.
do $$
begin
  if exists (select from pg_available_extensions where name = 'pg_trgm') then
    begin
      create extension if not exists pg_trgm;
      create index service_search on service using gin ((name || E'\n' || description || E'\n' || type) gin_trgm_ops);
    exception when insufficient_privilege then
      raise notice 'without pg_trgm: searches read the whole list';
    end;
  end if;
end $$;
