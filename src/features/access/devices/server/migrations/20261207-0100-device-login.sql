-- Machines that ask for a key (RFC 8628): single use, for some minutes. Of both codes only digests are kept; the key's secret is made when it is
-- handed over, so it is stored nowhere.
create table device_login (
  device_hash bytea primary key,
  user_hash bytea not null unique,
  name text not null,
  -- Where it asked from, shown to the person who is to confirm.
  address text not null,
  permissions text[] not null check (cardinality(permissions) > 0),
  irreversible boolean not null,
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  -- How many seconds to leave between two questions; more when it asks too soon.
  interval_seconds integer not null,
  polled_at timestamptz,
  state text not null default 'waiting' check (state in ('waiting', 'confirmed', 'refused', 'taken')),
  key_id text references api_key on delete cascade,
  check ((key_id is not null) = (state in ('confirmed', 'taken')))
);
create index device_login_expires on device_login (expires_at);
