-- Roles that operators and customers make themselves: a built-in role narrowed to some permissions. Null organization: the platform's, for anybody.
create table custom_role (
  id text primary key,
  organization_id text references organization (id) on delete cascade,
  base_role text not null check (base_role in ('Admin', 'User', 'ReadOnly')),
  name text not null,
  description text not null default '',
  permissions text[] not null,
  created_at timestamptz not null,
  created_by text references app_user (id) on delete set null,
  check (organization_id is null or base_role <> 'Admin'),
  -- Whoever changes people and roles gets past every other permission, so that stays with the built-in roles.
  check (not 'people:write' = any(permissions)),
  unique (id, base_role)
);
create unique index custom_role_name on custom_role (coalesce(organization_id, ''), lower(name));

-- The role's name in custom_role_id never differs from the built-in one in role: whatever changes one must say what becomes of the other.
alter table app_user add column custom_role_id text;
alter table app_user add constraint app_user_custom_role foreign key (custom_role_id, role) references custom_role (id, base_role);
create index app_user_custom_role on app_user (custom_role_id) where custom_role_id is not null;
