-- Sign-in through companies' identity providers.
alter table external_identity drop constraint external_identity_source_check,
  add constraint external_identity_source_check check (source in ('google', 'oidc', 'company'));
alter table link_request drop constraint link_request_source_check,
  add constraint link_request_source_check check (source in ('google', 'oidc', 'company'));

-- A sign-in that began here and waits for the provider's answer.
create table company_request (
  id text primary key,
  provider_id text not null references identity_provider on delete cascade,
  -- SHA-256 of the cookie of the browser that began.
  browser_hash bytea not null,
  is_test boolean not null,
  -- What proves at an OpenID provider that the code came to whom it was given (RFC 7636); empty for SAML.
  verifier text not null,
  return_to text not null,
  expires_at timestamptz not null
);
create index company_request_ending on company_request (expires_at);

-- An assertion is taken once, by whichever console.
create table used_assertion (
  provider_id text not null references identity_provider on delete cascade,
  assertion_id text not null,
  expires_at timestamptz not null,
  primary key (provider_id, assertion_id)
);
create index used_assertion_ending on used_assertion (expires_at);

-- An answer that was good and waits for the browser to take its session.
create table company_ticket (
  hash bytea primary key,
  provider_id text not null references identity_provider on delete cascade,
  -- Null: the provider began, so no browser is known.
  browser_hash bytea,
  subject text not null,
  email text not null,
  name text not null,
  groups text[] not null,
  return_to text not null,
  expires_at timestamptz not null
);
create index company_ticket_ending on company_ticket (expires_at);
