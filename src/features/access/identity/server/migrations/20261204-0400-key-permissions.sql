-- Keys with permissions: each acts for the person who made it (created_by), never as more than they may.
alter table api_key drop constraint api_key_scope_check;
alter table api_key add constraint api_key_scope_check check (scope in ('metering', 'read', 'permissions'));
alter table api_key add column permissions text[] not null default '{}';
-- May also make calls that cannot be undone, for which a person proves who they are.
alter table api_key add column irreversible boolean not null default false;
-- Networks with the lengths of their prefixes; empty: from anywhere.
alter table api_key add column addresses text[] not null default '{}';
alter table api_key add constraint api_key_permissions check (case when scope = 'permissions' then cardinality(permissions) > 0 else cardinality(permissions) = 0 and not irreversible and cardinality(addresses) = 0 end);
create index api_key_of_person on api_key (created_by) where scope = 'permissions' and revoked_at is null;

-- Whoever deletes a person ends the keys that act for them; restoring the person does not bring them back.
create function end_keys_of_deleted() returns trigger language plpgsql as $$
begin
  update api_key set revoked_at = new.deleted_at where created_by = new.id and scope = 'permissions' and revoked_at is null;
  return null;
end $$;
create trigger app_user_keys_end after update of status on app_user for each row
  when (new.status = 'deleted' and old.status <> 'deleted') execute function end_keys_of_deleted();
