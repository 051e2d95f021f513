-- People and groups that identity providers keep up to date (RFC 7643).
create table scim_user (
  provider_id text not null references identity_provider on delete cascade,
  user_id text not null references app_user on delete cascade,
  external_id text,
  given_name text not null,
  family_name text not null,
  -- What the provider says.
  is_active boolean not null,
  -- Whether the account is active by that and by a role of the person's groups. An account that an Admin
  -- deactivates stays so until this changes.
  is_admitted boolean not null,
  -- Deleted by the provider: its account is inactive, and comes back with its name.
  is_deleted boolean not null,
  version integer not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (provider_id, user_id),
  unique (provider_id, external_id)
);
create unique index scim_user_of_user on scim_user (user_id);

create table scim_group (
  id text primary key,
  provider_id text not null references identity_provider on delete cascade,
  display_name text not null,
  external_id text,
  version integer not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  unique (provider_id, display_name)
);

create table scim_member (
  group_id text not null references scim_group on delete cascade,
  user_id text not null references app_user on delete cascade,
  primary key (group_id, user_id)
);
create index scim_member_of_user on scim_member (user_id);
