-- The worst quota status that was announced in a period.

create table quota_status (
  subscription_id text not null references subscription,
  month char(7) not null,
  status text not null check (status in ('Normal', 'Warning', 'Critical')),
  changed_at timestamptz not null,
  primary key (subscription_id, month)
);
