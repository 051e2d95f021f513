-- Announcements: what Admins tell people, when, and how far it is.

create table announcement (
  id text primary key,
  title_zh text not null,
  title_en text not null,
  text_zh text not null,
  text_en text not null,
  severity text not null check (severity in ('info', 'warning')),
  link text,
  audience text not null check (audience in ('all', 'role', 'organization', 'service')),
  audience_role text check ((audience_role is not null) = (audience = 'role')),
  organization_id text check ((organization_id is not null) = (audience = 'organization')),
  service_id text check ((service_id is not null) = (audience = 'service')),
  -- What the audience was called when it was chosen: a service may be gone later, and then it has nobody.
  audience_name text not null,
  state text not null check (state in ('draft', 'scheduled', 'sending', 'sent', 'cancelled')),
  send_at timestamptz,
  -- The last person that it was sent to: a run that dies is taken up behind them.
  sent_through text not null default '',
  reached integer not null default 0,
  -- How many it was meant for when the sending began.
  expected integer,
  finished_at timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  author text not null,
  check ((send_at is not null) or state in ('draft', 'cancelled'))
);
create index announcement_newest on announcement (created_at desc, id desc);
create index announcement_due on announcement (send_at, id) where state in ('scheduled', 'sending');
call count_rows_of('announcement', 'state', 'audience');

-- How many have read one.
create index notification_of_announcement on notification (subject, is_read) where kind = 'announcement';
