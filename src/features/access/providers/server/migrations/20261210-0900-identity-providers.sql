-- Identity providers of companies, made by Admins.
create table identity_provider (
  id text primary key,
  kind text not null check (kind in ('saml', 'oidc')),
  name text not null unique,
  -- Null: the provider of the platform itself. Its people are Admins.
  organization_id text references organization on delete cascade,
  is_active boolean not null,
  -- SAML's entity id, or the issuer of an OpenID provider.
  entity_id text not null,
  sso_url text not null,
  -- PEM; several at once while a provider changes its key.
  certificates text[] not null,
  client_id text not null,
  -- Sealed; null for a public client.
  client_secret bytea,
  allows_unsolicited boolean not null,
  must_use boolean not null,
  default_role text check (default_role in ('Admin', 'User', 'ReadOnly')),
  email_attribute text not null,
  name_attribute text not null,
  groups_attribute text not null,
  last_result jsonb,
  -- SHA-256 of the token with which the provider keeps people up to date.
  scim_token_hash bytea unique,
  scim_token_made_at timestamptz,
  scim_used_at timestamptz,
  created_at timestamptz not null
);
create index identity_provider_of_organization on identity_provider (organization_id);

create table identity_provider_group (
  provider_id text not null references identity_provider on delete cascade,
  group_name text not null,
  role text not null check (role in ('Admin', 'User', 'ReadOnly')),
  position integer not null,
  primary key (provider_id, group_name)
);

create table mail_domain (
  id text primary key,
  provider_id text not null references identity_provider on delete cascade,
  domain text not null,
  challenge text not null,
  verified_at timestamptz,
  created_at timestamptz not null,
  unique (provider_id, domain)
);
-- Several may claim a domain; one has proved it.
create unique index mail_domain_verified on mail_domain (domain) where verified_at is not null;
