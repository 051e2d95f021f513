-- Browsers that a person's notifications are pushed to. A browser belongs to who turned it on last.
create table push_subscription (
  id text primary key,
  user_id text not null references app_user on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  device text not null,
  created_at timestamptz not null,
  last_tried_at timestamptz,
  -- Empty: the last one was taken. Otherwise why it was not.
  last_error text not null default ''
);
create index push_subscription_of on push_subscription (user_id, id);
