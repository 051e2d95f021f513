-- Ways in: attempts, known browsers, mailed links, second factors, passkeys.

drop table sign_in_failure;

-- Attempts at whatever lets people in, counted where every console sees them. The key names what is counted
-- (an account by its digest, an address, a browser), never what somebody typed.
create table attempt (
  key text primary key,
  failures integer not null,
  blocked_until timestamptz not null,
  last_at timestamptz not null
);
create index attempt_last_at on attempt (last_at);

-- Browsers a person has signed in with: an attack on the account from elsewhere does not keep them out.
create table known_device (
  hash bytea not null,
  user_id text not null references app_user on delete cascade,
  expires_at timestamptz not null,
  primary key (hash, user_id)
);
create index known_device_of_user on known_device (user_id);

-- Whether somebody who registered by themselves has shown that the e-mail is theirs. Without a row: an Admin,
-- the set-up or an invitation vouches for it.
create table account_email (
  user_id text primary key references app_user on delete cascade,
  -- Registered while e-mails could be sent: no sign-in before the mailed link was used.
  must_verify boolean not null,
  verified_at timestamptz
);

-- Links that let somebody choose a password or confirm an e-mail; only the digest of the secret in them is kept.
create table account_link (
  hash bytea primary key,
  user_id text not null references app_user on delete cascade,
  purpose text not null check (purpose in ('verify', 'reset', 'handover')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index account_link_of_user on account_link (user_id, created_at);

-- One-time codes by an authenticator. The seed is encrypted with a key that is not in the database.
create table authenticator (
  user_id text primary key references app_user on delete cascade,
  seed bytea not null,
  created_at timestamptz not null,
  -- Null: shown, but no code of it was seen yet.
  confirmed_at timestamptz,
  -- The 30 seconds whose code was used last: no code counts twice.
  last_step bigint not null default 0
);

create table recovery_code (
  user_id text not null references app_user on delete cascade,
  hash bytea not null,
  used_at timestamptz,
  primary key (user_id, hash)
);

create table passkey (
  id text primary key,
  user_id text not null references app_user on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_of_user on passkey (user_id);

-- What a browser was asked to sign with a passkey: single use, and only in the browser that asked.
create table passkey_challenge (
  hash bytea primary key,
  browser_hash bytea not null,
  -- Null: somebody who signs in.
  user_id text references app_user on delete cascade,
  expires_at timestamptz not null
);
