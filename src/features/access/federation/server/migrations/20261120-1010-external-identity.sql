-- Accounts elsewhere that belong to people here, and what their sign-ins need.

-- The key is issuer and subject; an address may change hands at any provider.
create table external_identity (
  id text primary key,
  source text not null check (source in ('google', 'oidc')),
  issuer text not null,
  subject text not null,
  user_id text not null references app_user on delete cascade,
  -- What the issuer called the address when it was linked; shown to its owner, never looked up.
  email text not null,
  -- The account was made by the provider, which then also says its role and organization.
  is_managed boolean not null,
  linked_at timestamptz not null,
  last_used_at timestamptz,
  unique (issuer, subject)
);
create index external_identity_of_user on external_identity (user_id);

-- An ID token signs in once.
create table used_id_token (
  hash bytea primary key,
  expires_at timestamptz not null
);
create index used_id_token_ending on used_id_token (expires_at);

-- An outside account that waits for the owner of the account here to prove that both are theirs.
create table link_request (
  hash bytea primary key,
  source text not null check (source in ('google', 'oidc')),
  issuer text not null,
  subject text not null,
  email text not null,
  user_id text not null references app_user on delete cascade,
  attempts integer not null default 0,
  expires_at timestamptz not null,
  unique (issuer, subject)
);
