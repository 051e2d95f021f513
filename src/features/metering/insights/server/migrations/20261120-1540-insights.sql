-- What people said of unusual days: those that were not expected are left out of what later days are compared with.

create table usage_verdict (
  subscription_id text not null references subscription (id),
  -- A day of the organization's own zone.
  day date not null,
  verdict text not null check (verdict in ('expected', 'unexpected')),
  judged_by text not null references app_user (id),
  judged_at timestamptz not null,
  primary key (subscription_id, day)
);
