-- The picture of a person, as the console made it anew: one each, gone with them.

create table avatar (
  user_id text primary key references app_user on delete cascade,
  -- Another one with each picture, so that what a browser keeps under it never changes.
  id text not null unique,
  -- WebP
  picture bytea not null check (octet_length(picture) between 1 and 131072),
  created_at timestamptz not null
);
-- Packed already.
alter table avatar alter column picture set storage external;
