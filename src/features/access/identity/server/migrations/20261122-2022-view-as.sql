-- An Admin looks at the console as somebody sees it: who, as whom, why, and until when.

create table view_as (
  id text primary key,
  admin_id text not null references app_user,
  -- The Admin's own session: the view is over when that is.
  session_id text not null references session on delete cascade,
  user_id text not null references app_user,
  reason text not null,
  started_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  check (admin_id <> user_id),
  check (expires_at <= started_at + interval '30 minutes')
);
-- One at a time.
create unique index view_as_open on view_as (session_id) where ended_at is null;
