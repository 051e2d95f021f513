-- What reaches people outside of the console: what they wish, what was planned for each notification, what a daily e-mail gathers;
-- searching in the sentences; and a day in which a deleted notification can be brought back.

-- Both languages' sentences, folded (rules-search.ts): parameters and amounts are found as they are read. Null: from before, folded by a job.
alter table notification add column search_text text;
-- The ways out that were planned when it was posted.
alter table notification add column channels text[] not null default '{}';
create index notification_unfolded on notification (id) where search_text is null;
create index notification_of_category on notification (user_id, category, created_at desc, id desc);

-- A person without a row has the initial wishes (rules-delivery.ts). The switches of e-mail and SMS are columns of app_user.
create table notification_preference (
  user_id text primary key references app_user on delete cascade,
  matrix jsonb not null,
  quiet_from text,
  quiet_to text,
  digest_hour smallint,
  digest_categories text[],
  changed_at timestamptz not null,
  check ((quiet_from is null) = (quiet_to is null)),
  check ((digest_hour is null) = (digest_categories is null))
);

-- Notifications that wait for a daily e-mail; `mail_key` is the outbox key of the one that took them.
create table notification_digest (
  notification_id text primary key references notification on delete cascade,
  user_id text not null references app_user on delete cascade,
  due_at timestamptz not null,
  mail_key text
);
create index notification_digest_due on notification_digest (due_at, user_id) where mail_key is null;

create table notification_deleted (
  like notification,
  deletion_id text not null,
  deleted_at timestamptz not null,
  primary key (id),
  foreign key (user_id) references app_user on delete cascade
);
-- Worked out from read_at again when it is brought back.
alter table notification_deleted drop column is_read;
create index notification_deleted_newest on notification_deleted (user_id, deleted_at desc, id desc);
create index notification_deleted_of_deletion on notification_deleted (deletion_id);
create index notification_deleted_age on notification_deleted (deleted_at);
call count_rows_of('notification_deleted', 'user_id', 'deletion_id');

-- The messages of one push are found by how their keys begin.
create index outbox_push_key on outbox (key text_pattern_ops) where kind = 'push';
