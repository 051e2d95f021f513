-- Payments through providers and by bank: the stored intent, what really came, where it went, and what was paid back.

alter table payment drop constraint payment_method_check;
alter table payment add check (method in ('manual', 'balance', 'stripe', 'ecpay', 'bank_transfer'));
alter table payment
  -- In whose language the provider speaks.
  add language text not null default 'zhTW' check (language in ('zhTW', 'enUS')),
  -- How the customer goes on; the provider's name of it.
  add checkout jsonb,
  add checkout_reference text,
  add expires_at timestamptz,
  -- When the provider was asked by itself the last time, and how often.
  add asked_at timestamptz,
  add asks integer not null default 0,
  -- What really came, in its own currency, and how much of it paid the bill; the rest went to the balance.
  add received_minor bigint check (received_minor > 0),
  add received_currency char(3),
  add to_bill_minor bigint not null default 0 check (to_bill_minor >= 0 and to_bill_minor <= coalesce(received_minor, 0)),
  -- What came is not what was stored: an Admin has to look.
  add is_mismatch boolean not null default false,
  add refunded_minor bigint not null default 0 check (refunded_minor >= 0),
  -- The provider's name of the money that came.
  add provider_reference text,
  add failure text not null default '',
  -- Seller and buyer as they were when it succeeded: a receipt never changes.
  add parties jsonb;
update payment set received_minor = amount_minor, received_currency = currency, to_bill_minor = case when bill_id is null then 0 else amount_minor end where state = 'succeeded';
alter table payment add check ((state in ('succeeded', 'refunded')) = (received_minor is not null)), add check ((received_minor is null) = (received_currency is null));
create unique index payment_of_provider_reference on payment (method, provider_reference) where provider_reference is not null;
create index payment_waiting on payment (created_at) where state = 'pending' and method in ('stripe', 'ecpay');
create index payment_transfer_waiting on payment (created_at) where state = 'pending' and method in ('manual', 'bank_transfer');
create index payment_of_bill on payment (bill_id) where bill_id is not null;

-- Money that is paid back. Written before the provider is asked, so that an unknown outcome is never forgotten.
create table payment_refund (
  id text primary key,
  payment_id text not null references payment,
  organization_id text not null references organization,
  state text not null check (state in ('pending', 'succeeded', 'failed')),
  amount_minor bigint not null check (amount_minor > 0),
  currency char(3) not null,
  reason text not null,
  -- 'provider': made at the provider, not here.
  origin text not null check (origin in ('admin', 'provider')),
  provider_reference text,
  failure text not null default '',
  -- The provider was asked and did not answer.
  is_unsure boolean not null default false,
  asked_at timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  settled_at timestamptz,
  check ((state = 'pending') = (settled_at is null))
);
create index payment_refund_of_payment on payment_refund (payment_id, created_at);
create index payment_refund_waiting on payment_refund (organization_id) where state = 'pending';
create unique index payment_refund_of_reference on payment_refund (payment_id, provider_reference) where provider_reference is not null;
