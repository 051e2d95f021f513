-- A user's row changes at every sign-in, its role and status hardly ever: only then is there anything to count.

create function count_row_moved() returns trigger language plpgsql as $$
declare
  was jsonb := to_jsonb(old);
  becomes jsonb := to_jsonb(new);
begin
  insert into row_count as c (relation, key1, key2, shard, count)
    select tg_table_name, coalesce(k1, ''), coalesce(k2, ''), (pg_backend_pid() % 16)::smallint, sum(n)
    from (values (coalesce(was ->> tg_argv[0], '-'), coalesce(was ->> tg_argv[1], '-'), -1), (coalesce(becomes ->> tg_argv[0], '-'), coalesce(becomes ->> tg_argv[1], '-'), 1)) as moved (k1, k2, n)
    group by grouping sets ((), (k1), (k2), (k1, k2)) having sum(n) <> 0
    order by 2, 3
    on conflict (relation, key1, key2, shard) do update set count = c.count + excluded.count;
  return null;
end $$;

drop trigger app_user_counted_over on app_user;
create trigger app_user_counted_over after update of role, status on app_user for each row
  when (old.role is distinct from new.role or old.status is distinct from new.status) execute function count_row_moved('role', 'status');
