-- A link that opens a customer's pages inside a page of the provider, and the one session that it is exchanged for.
create table portal_link (
  id text primary key,
  organization_id text not null references organization on delete cascade,
  pages text[] not null check (cardinality(pages) > 0),
  -- False: the session only reads.
  may_change boolean not null,
  language text not null,
  mode text not null check (mode in ('light', 'dark', 'auto')),
  accent text,
  return_url text,
  -- The pages of these origins may show it in a frame; empty: none, it is opened by itself.
  origins text[] not null,
  -- Whom the host page names as its user, for the audit log.
  actor text not null,
  created_by text not null references app_user,
  -- The key that it was made with; the session ends with it.
  key_id text references api_key,
  created_at timestamptz not null,
  token_hash bytea not null unique,
  -- Until when the link can be opened, once.
  expires_at timestamptz not null,
  -- How long what it opens lasts.
  session_minutes int not null check (session_minutes between 1 and 60),
  used_at timestamptz,
  session_hash bytea unique,
  session_ends_at timestamptz,
  revoked_at timestamptz,
  revoked_by text,
  check ((used_at is null) = (session_hash is null) and (used_at is null) = (session_ends_at is null))
);
create index portal_link_of_organization on portal_link (organization_id, id);

-- What is done through a link names the link. What is stored already fits, so it is not read again.
alter table audit_log drop constraint audit_log_actor_kind_check;
alter table audit_log add constraint audit_log_actor_kind_check check (actor_kind in ('user', 'apiKey', 'portal', 'system', 'anonymous')) not valid;
