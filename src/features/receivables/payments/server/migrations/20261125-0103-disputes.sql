-- Disputes: a cardholder's bank asks for the money back. What the provider moved because of it is written down once for each of its movements.

create table payment_dispute (
  id text primary key,
  payment_id text not null references payment,
  organization_id text not null references organization,
  state text not null check (state in ('inquiry', 'needs_response', 'under_review', 'won', 'lost', 'closed')),
  amount_minor bigint not null check (amount_minor > 0),
  currency char(3) not null,
  -- In the provider's word.
  reason text not null,
  evidence_due_at timestamptz,
  provider_reference text not null,
  -- When the provider said the newest of what is kept here: events come in any order.
  said_at timestamptz not null,
  created_at timestamptz not null,
  closed_at timestamptz,
  check ((state in ('won', 'lost', 'closed')) = (closed_at is not null)),
  unique (payment_id, provider_reference)
);

-- Above zero: withdrawn from us; below: given back. Each is borne by the bill that is owed again, by the balance, and for the rest by the customer.
create table payment_dispute_move (
  id text primary key,
  dispute_id text not null references payment_dispute,
  provider_reference text not null,
  minor bigint not null check (minor <> 0),
  to_bill_minor bigint not null,
  to_balance_minor bigint not null,
  fee_minor bigint not null,
  at timestamptz not null,
  unique (dispute_id, provider_reference)
);
create trigger payment_dispute_move_fixed before update or delete on payment_dispute_move for each row execute function refuse_change();
create trigger payment_dispute_move_kept before truncate on payment_dispute_move for each statement execute function refuse_change();
