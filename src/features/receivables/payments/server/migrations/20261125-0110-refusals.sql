-- What providers said, signed by them, that could not be applied: an administrator has to see it, since the provider gives up after some days.

create table payment_refusal (
  provider text not null,
  event_id text not null,
  -- Why, as the code of a refusal.
  code text not null,
  -- Null where it could not be read that far.
  about text check (about in ('payment', 'refund', 'dispute')),
  amount_minor bigint,
  currency char(3),
  payment_id text references payment,
  times integer not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (provider, event_id),
  check ((amount_minor is null) = (currency is null))
);
create index payment_refusal_newest on payment_refusal (last_at desc, provider, event_id);
create index payment_refusal_of_payment on payment_refusal (payment_id) where payment_id is not null;
