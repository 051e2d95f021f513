-- Licences: the keys that sign them, and every file that was signed.

create table licence_key (
  -- The beginning of the SHA-256 of the public key.
  id text primary key,
  public_key text not null,
  -- The private half, sealed; null for the installation's first key, which stands in its secrets, and for one that signs no more.
  sealed bytea,
  -- Null for the first key: it is as old as the installation.
  made_at timestamptz,
  made_by text,
  retired_at timestamptz
);
-- At most one signs.
create unique index licence_key_signing on licence_key ((true)) where retired_at is null;

create table licence (
  id text primary key,
  subscription_id text not null references subscription,
  organization_id text not null references organization,
  service_id text not null references service,
  key_id text not null references licence_key,
  machine text not null,
  -- The licence that this one is the renewal of.
  renews text unique references licence,
  -- As it was signed and handed over.
  file text not null,
  sha256 bytea not null,
  issued_at timestamptz not null,
  issued_by text not null,
  expires_at timestamptz not null check (expires_at > issued_at),
  revoked_at timestamptz,
  revoked_by text,
  revoke_reason text,
  -- Its place in the list of revocations, which only grows.
  revocation bigint unique,
  check ((revoked_at is null) = (revocation is null) and (revoked_at is null) = (revoked_by is null) and (revoked_at is null) = (revoke_reason is null))
);
create index licence_newest on licence (issued_at desc, id desc);
create index licence_by_end on licence (expires_at, id);
create index licence_of_subscription on licence (subscription_id, issued_at desc);
create index licence_of_organization on licence (organization_id);

-- What was signed is not changed and not forgotten; only its revocation is written, once.
create function refuse_licence_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.revoked_at is not null or (to_jsonb(new) - '{revoked_at,revoked_by,revoke_reason,revocation}'::text[]) <> (to_jsonb(old) - '{revoked_at,revoked_by,revoke_reason,revocation}'::text[]) then
    raise exception 'licences are never changed' using errcode = '23001';
  end if;
  return new;
end $$;
create trigger licence_fixed before update or delete on licence for each row execute function refuse_licence_change();
