-- One row for each recipient; the unique key makes a notification happen once.

create table notification (
  id text primary key,
  user_id text not null references app_user on delete cascade,
  kind text not null,
  type text not null check (type in ('payment', 'security', 'warning', 'info')),
  category text not null check (category in ('billing', 'security', 'usage', 'system')),
  -- What it is about and for which period, so that a threshold is told once a period.
  subject text not null,
  period text not null,
  text_key text not null,
  params jsonb not null,
  link text,
  created_at timestamptz not null,
  read_at timestamptz,
  is_read boolean generated always as (read_at is not null) stored,
  unique (user_id, kind, subject, period)
);
create index notification_newest on notification (user_id, created_at desc, id desc);
create index notification_unread on notification (user_id, created_at desc, id desc) where not is_read;
call count_rows_of('notification', 'user_id', 'is_read');
