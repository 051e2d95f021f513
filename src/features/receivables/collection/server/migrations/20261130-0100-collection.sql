-- Cards that are saved at the payment provider, and the attempts to charge bills to them.

create table card_customer (
  organization_id text primary key references organization,
  -- The provider's name of the customer under whom it keeps the cards.
  reference text not null unique,
  created_at timestamptz not null
);

-- A card that somebody set out to save, with what they agreed to, word for word.
create table card_setup (
  id text primary key,
  organization_id text not null references organization,
  state text not null check (state in ('pending', 'saved', 'failed')),
  consent text not null,
  language text not null check (language in ('zhTW', 'enUS')),
  created_at timestamptz not null,
  created_by text not null,
  checkout_url text,
  checkout_reference text,
  asked_at timestamptz
);
create index card_setup_waiting on card_setup (created_at) where state = 'pending';

create table saved_card (
  id text primary key,
  organization_id text not null references organization,
  setup_id text not null references card_setup,
  reference text not null unique,
  brand text not null,
  last4 text not null,
  exp_month smallint not null check (exp_month between 1 and 12),
  exp_year smallint not null,
  fingerprint text,
  -- When the provider said these facts; older news changes nothing.
  said_at timestamptz not null,
  is_default boolean not null,
  -- The end of which an expiry was announced.
  warned_for date,
  created_at timestamptz not null,
  removed_at timestamptz,
  check (not is_default or removed_at is null)
);
create unique index saved_card_default on saved_card (organization_id) where is_default;
create index saved_card_kept on saved_card (organization_id, created_at) where removed_at is null;

create table collection_switch (
  organization_id text primary key references organization,
  is_on boolean not null,
  changed_at timestamptz not null,
  changed_by text not null
);
create index collection_switch_on on collection_switch (organization_id) where is_on;

-- How far the collection of a bill is. Neither a time nor a stop: an attempt is under way, or has succeeded.
create table bill_collection (
  bill_id text primary key references bill,
  organization_id text not null references organization,
  attempts integer not null,
  -- Attempts of the running schedule, and when its first was.
  tries integer not null,
  first_at timestamptz not null,
  next_at timestamptz,
  stopped text check (stopped in ('confirm', 'declined', 'given_up', 'refused')),
  check (next_at is null or stopped is null)
);
create index bill_collection_next on bill_collection (next_at) where next_at is not null;
create index bill_collection_of_organization on bill_collection (organization_id);

-- One attempt of one bill is one payment, for ever.
create table collection_attempt (
  bill_id text not null references bill,
  number integer not null,
  payment_id text not null unique references payment,
  card_id text not null references saved_card,
  code text not null default '',
  asked_at timestamptz,
  asks integer not null default 0,
  primary key (bill_id, number)
);
