-- People, organizations, sessions, API keys.

create table organization (
  id text primary key,
  name text not null,
  tax_id text not null default '',
  tax_status text not null default 'standard' check (tax_status in ('standard', 'zero', 'exempt')),
  billing_email text not null default '',
  billing_address text not null default '',
  time_zone text not null,
  language text not null check (language in ('zhTW', 'enUS')),
  -- What an import knows this organization by, so that a repeated import finds it again.
  external_ref text unique,
  created_at timestamptz not null
);
create index organization_by_name on organization (name, id);
call count_rows_of('organization', 'tax_status', 'language');

create table app_user (
  id text primary key,
  -- Trimmed, lower case: one person, one account.
  account text not null unique check (account = lower(btrim(account))),
  name text not null,
  phone text not null default '',
  address text not null default '',
  password_hash text,
  role text not null check (role in ('Admin', 'User', 'ReadOnly')),
  status text not null default 'active' check (status in ('active', 'inactive')),
  organization_id text references organization,
  member_level text not null default 'standard',
  language text not null check (language in ('zhTW', 'enUS')),
  two_factor boolean not null default false,
  email_notifications boolean not null default true,
  sms_notifications boolean not null default false,
  created_at timestamptz not null,
  last_sign_in_at timestamptz,
  check ((role = 'Admin') = (organization_id is null))
);
create index app_user_of_organization on app_user (organization_id);
-- The lists' sorts, whole and by the filters that are used most.
create index app_user_newest on app_user (created_at desc, id desc);
create index app_user_newest_of_role on app_user (role, created_at desc, id desc);
create index app_user_newest_of_status on app_user (status, created_at desc, id desc);
create index app_user_by_name on app_user (name, id);
call count_rows_of('app_user', 'role', 'status');

create table session (
  id text primary key,
  user_id text not null references app_user on delete cascade,
  token_hash bytea not null unique,
  device text not null,
  address text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index session_of_user on session (user_id) where ended_at is null;

create table api_key (
  id text primary key,
  name text not null,
  scope text not null check (scope in ('metering', 'read')),
  -- Null: a key of the platform, which may write for every organization.
  organization_id text references organization,
  secret_hash bytea not null unique,
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);

create table live_ticket (
  hash bytea primary key,
  user_id text not null references app_user on delete cascade,
  session_id text not null references session on delete cascade,
  expires_at timestamptz not null
);

-- Failed sign-ins of an account name, counted where every console sees them.
create table sign_in_failure (
  account text primary key,
  failures integer not null,
  blocked_until timestamptz not null,
  last_at timestamptz not null
);
