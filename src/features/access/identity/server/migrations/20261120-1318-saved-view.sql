-- Lists as a person wants to find them again: a name and the query of the screen's address.

create table saved_view (
  id text primary key,
  user_id text not null references app_user on delete cascade,
  screen text not null,
  name text not null,
  query text not null,
  created_at timestamptz not null
);
create unique index saved_view_name on saved_view (user_id, screen, lower(name));
