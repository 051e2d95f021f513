-- A session's cookie changes at every use; what it was before is remembered, so that a copied one is noticed.

create table session_used_token (
  hash bytea primary key,
  session_id text not null references session on delete cascade,
  used_at timestamptz not null
);
create index session_used_token_of_session on session_used_token (session_id);

-- When the person last proved who they are: at sign-in, and again before something grave.
alter table session add column proved_at timestamptz;
update session set proved_at = created_at;
alter table session alter column proved_at set not null;
