-- Deleting a user: they are gone for everybody at once, can be restored for a while, and leave their name to what they did.

alter table app_user drop constraint app_user_status_check;
alter table app_user add constraint app_user_status_check check (status in ('active', 'inactive', 'deleted'));
alter table app_user
  add column deleted_at timestamptz,
  -- What they are again when they are restored.
  add column status_before text check (status_before in ('active', 'inactive')),
  add column erased_at timestamptz;
alter table app_user
  add constraint app_user_deleted check ((status = 'deleted') = (deleted_at is not null) and (status = 'deleted') = (status_before is not null)),
  add constraint app_user_erased check (erased_at is null or status = 'deleted');
create index app_user_to_erase on app_user (deleted_at) where status = 'deleted' and erased_at is null;

-- The search looks for a piece of a name or an account anywhere in them.
do $$
begin
  if exists (select from pg_available_extensions where name = 'pg_trgm') then
    begin
      create extension if not exists pg_trgm;
      create index app_user_search on app_user using gin ((name || E'\n' || account) gin_trgm_ops);
      create index organization_search on organization using gin (name gin_trgm_ops);
    exception when insufficient_privilege then
      raise notice 'without pg_trgm: searches read the whole list';
    end;
  end if;
end $$;
