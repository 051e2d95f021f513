-- Requests for a higher limit: who asked, why, who decided what. A granted one holds from then on.
create table quota_raise (
  id text primary key,
  subscription_id text not null references subscription,
  organization_id text not null references organization,
  state text not null check (state in ('open', 'granted', 'declined', 'withdrawn')),
  asked_limit numeric not null check (asked_limit > 0),
  reason text not null,
  -- What was used and what the limit was when it was asked for.
  used_then numeric not null,
  limit_then numeric not null,
  asked_by text not null,
  asked_at timestamptz not null,
  granted_limit numeric check (granted_limit > 0),
  -- What was said to the decision.
  answer text not null default '',
  decided_by text,
  decided_at timestamptz,
  check ((state = 'granted') = (granted_limit is not null)),
  check ((state = 'open') = (decided_at is null))
);
create unique index quota_raise_open on quota_raise (subscription_id) where state = 'open';
create index quota_raise_granted on quota_raise (subscription_id, granted_limit) where state = 'granted';
create index quota_raise_newest on quota_raise (subscription_id, id desc);
create index quota_raise_listed on quota_raise (state, asked_at desc, id desc);
call count_rows_of('quota_raise', 'state', 'organization_id');
