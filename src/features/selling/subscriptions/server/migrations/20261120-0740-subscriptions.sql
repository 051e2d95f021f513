-- An organization's use of a service, and every transition it went through.

create table subscription (
  id text primary key,
  organization_id text not null references organization,
  service_id text not null references service,
  state text not null check (state in ('active', 'paused', 'cancelling', 'canceled', 'past_due', 'suspended', 'expired')),
  started_at timestamptz not null,
  -- The end of service: set when it is canceled, or for 'cancelling' the end of the period.
  ends_at timestamptz,
  created_at timestamptz not null
);
create unique index subscription_open on subscription (organization_id, service_id) where state <> 'canceled' and state <> 'expired';
create index subscription_of_service on subscription (service_id);
call count_rows_of('subscription', 'state', 'service_id');

create table subscription_transition (
  subscription_id text not null references subscription,
  at timestamptz not null,
  position integer generated always as identity,
  from_state text,
  to_state text not null,
  actor text not null,
  reason text not null,
  primary key (subscription_id, position)
);
create trigger subscription_transition_fixed before update or delete on subscription_transition for each row execute function refuse_change();
