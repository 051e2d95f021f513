-- Invitations into an organization, and secrets of API keys that are replaced while the old one still works.

create table invitation (
  id text primary key,
  organization_id text not null references organization on delete cascade,
  email text not null check (email = lower(btrim(email))),
  role text not null check (role in ('User', 'ReadOnly')),
  -- The digest of the newest link's token; a resent invitation forgets the one before.
  token_hash bytea not null unique,
  sent integer not null default 1,
  invited_by text references app_user on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by text references app_user on delete set null,
  revoked_at timestamptz,
  check (accepted_at is null or revoked_at is null)
);
-- One open invitation for each address and organization, whatever arrives at the same time.
create unique index invitation_open on invitation (organization_id, email) where accepted_at is null and revoked_at is null;

alter table api_key add column hint text not null default '';
alter table api_key add column rotated_at timestamptz;
-- The secret before the last rotation; it works until previous_until.
alter table api_key add column previous_hash bytea unique;
alter table api_key add column previous_until timestamptz;
alter table api_key add constraint api_key_previous check ((previous_hash is null) = (previous_until is null));
create index api_key_of_organization on api_key (organization_id) where revoked_at is null;

-- A key that reads, reads one organization.
update api_key set revoked_at = now() where scope = 'read' and organization_id is null and revoked_at is null;
alter table api_key add constraint api_key_reads_one check (scope <> 'read' or organization_id is not null or revoked_at is not null);
