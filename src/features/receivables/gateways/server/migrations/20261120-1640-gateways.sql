-- What payment providers said, each event once for ever.

create table provider_event (
  provider text not null,
  event_id text not null,
  -- What it is about: our payment, where the provider knows its id, and its own reference of the captured money.
  payment_id text,
  payment_reference text,
  about text not null check (about in ('payment', 'refund')),
  outcome text not null,
  -- In the provider's words and amounts turned into ours; no card data, no names.
  notice jsonb not null,
  received_at timestamptz not null,
  primary key (provider, event_id)
);
create index provider_event_of_payment on provider_event (payment_id);
create index provider_event_of_reference on provider_event (provider, payment_reference);
create trigger provider_event_fixed before update or delete on provider_event for each row execute function refuse_change();
create trigger provider_event_kept before truncate on provider_event for each statement execute function refuse_change();
