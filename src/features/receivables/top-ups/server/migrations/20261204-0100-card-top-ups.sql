-- Balances that are topped up from the default card by themselves.

-- What an organization agreed to, by currency. A stop lasts until a person mends it.
create table card_top_up (
  organization_id text not null references organization,
  currency char(3) not null,
  is_on boolean not null,
  threshold_minor bigint not null check (threshold_minor > 0),
  amount_minor bigint not null check (amount_minor > 0),
  cap_minor bigint not null check (cap_minor >= amount_minor),
  stopped text check (stopped in ('confirm', 'declined', 'refused')),
  changed_at timestamptz not null,
  changed_by text not null,
  primary key (organization_id, currency)
);
create index card_top_up_on on card_top_up (organization_id, currency) where is_on and stopped is null;

-- Word for word what a person saw, with its amounts; never changed.
create table card_top_up_consent (
  organization_id text not null references organization,
  currency char(3) not null,
  given_at timestamptz not null,
  given_by text not null,
  language text not null check (language in ('zhTW', 'enUS')),
  consent text not null
);
create index card_top_up_consent_of on card_top_up_consent (organization_id, currency, given_at);

-- One attempt is one payment, for ever.
create table card_top_up_attempt (
  payment_id text primary key references payment,
  organization_id text not null references organization,
  currency char(3) not null,
  card_id text not null references saved_card,
  code text not null default '',
  asked_at timestamptz,
  asks integer not null default 0
);
create index card_top_up_attempt_of on card_top_up_attempt (organization_id, currency);
