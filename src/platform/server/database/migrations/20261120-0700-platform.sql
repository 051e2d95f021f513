-- The platform's own tables: settings, outbox, idempotency keys, audit log, counters.

create table setting (
  key text primary key,
  value jsonb not null,
  changed_at timestamptz not null,
  changed_by text not null
);

create table outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  key text,
  payload jsonb not null,
  attempts integer not null default 0,
  created_at timestamptz not null,
  due_at timestamptz not null,
  sent_at timestamptz,
  parked_at timestamptz,
  last_error text,
  unique (kind, key)
);
create index outbox_due on outbox (due_at, id) where sent_at is null and parked_at is null;

create table idempotency_key (
  actor text not null,
  key text not null,
  route text not null,
  request_hash text not null,
  status integer,
  answer jsonb,
  created_at timestamptz not null,
  primary key (actor, key)
);
create index idempotency_key_age on idempotency_key (created_at);

create table audit_log (
  id text primary key,
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('user', 'apiKey', 'system', 'anonymous')),
  actor_id text,
  action text not null,
  subject text,
  detail jsonb not null,
  request_id text not null
);

-- Rows that are history: neither changed nor removed, by anybody who is not the table's owner at work on purpose.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or removed', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger audit_log_fixed before update or delete on audit_log for each row execute function refuse_change();
create trigger audit_log_kept before truncate on audit_log for each statement execute function refuse_change();

-- How many rows a list has, kept with every write, so that an exact total costs the same at a million rows as at ten.
-- Several shards a counter: two transactions that count in the same list need not wait for each other.
create table row_count (
  relation text not null,
  key1 text not null,
  key2 text not null,
  shard smallint not null,
  count bigint not null,
  primary key (relation, key1, key2, shard)
);

-- Arguments: the two columns a list is filtered by. '' in a key means "any".
create function count_rows() returns trigger language plpgsql as $$
declare
  parts text[] := array[]::text[];
begin
  if tg_op in ('INSERT', 'UPDATE') then
    parts := parts || format('select coalesce(%I::text, %L) as k1, coalesce(%I::text, %L) as k2, 1 as n from added', tg_argv[0], '-', tg_argv[1], '-');
  end if;
  if tg_op in ('DELETE', 'UPDATE') then
    parts := parts || format('select coalesce(%I::text, %L) as k1, coalesce(%I::text, %L) as k2, -1 as n from removed', tg_argv[0], '-', tg_argv[1], '-');
  end if;
  execute format(
    'insert into row_count as c (relation, key1, key2, shard, count)
     select %L, coalesce(k1, %L), coalesce(k2, %L), (pg_backend_pid() %% 16)::smallint, sum(n)
     from (%s) as changed group by grouping sets ((), (k1), (k2), (k1, k2)) having sum(n) <> 0
     order by 2, 3
     on conflict (relation, key1, key2, shard) do update set count = c.count + excluded.count',
    tg_table_name, '', '', array_to_string(parts, ' union all '));
  return null;
end $$;

create function rows_counted(relation_name text, k1 text, k2 text) returns bigint language sql stable as $$
  select coalesce(sum(count), 0)::bigint from row_count where relation = relation_name and key1 = coalesce(k1, '') and key2 = coalesce(k2, '')
$$;

create procedure count_rows_of(table_name text, column1 text, column2 text) language plpgsql as $$
begin
  execute format('create trigger %I after insert on %I referencing new table as added for each statement execute function count_rows(%L, %L)', table_name || '_counted_in', table_name, column1, column2);
  execute format('create trigger %I after delete on %I referencing old table as removed for each statement execute function count_rows(%L, %L)', table_name || '_counted_out', table_name, column1, column2);
  execute format('create trigger %I after update on %I referencing old table as removed new table as added for each statement execute function count_rows(%L, %L)', table_name || '_counted_over', table_name, column1, column2);
end $$;
