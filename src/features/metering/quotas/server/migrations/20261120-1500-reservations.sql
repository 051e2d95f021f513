-- What may still be used of a month's limit, held until it is used, given back or runs out.

-- The row that everybody who takes from a month's limit waits for.
create table quota_month (
  subscription_id text not null references subscription,
  month char(7) not null,
  -- What is held of the month, kept with every reservation, so that nobody has to add them up.
  held numeric not null default 0 check (held >= 0),
  primary key (subscription_id, month)
);

create table quota_reservation (
  id text primary key,
  subscription_id text not null references subscription,
  -- The month in which it was made; one that ran out and was made anew belongs to the month of that moment.
  month char(7) not null,
  quantity numeric not null check (quantity > 0),
  -- The maker's own word for it.
  reference text not null,
  state text not null check (state in ('held', 'committed', 'released', 'expired')),
  -- When what is used of it was used, as usage counts it.
  counts_at timestamptz not null,
  expires_at timestamptz not null,
  -- What of it was used.
  used numeric check (used > 0 and used <= quantity),
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'committed') = (used is not null))
);
create index quota_reservation_held on quota_reservation (subscription_id, month, expires_at) include (quantity) where state = 'held';
create index quota_reservation_due on quota_reservation (expires_at) where state = 'held';
create index quota_reservation_ended on quota_reservation (ended_at) where state <> 'held';

-- The limit at which a status was announced, and whether it was told that the quota recovered since.
alter table quota_status add limit_value numeric, add is_recovered boolean not null default false;
