-- Dunning: which step of the ladder was taken of which bill, who is held for it, who is left alone.

create table dunning_step (
  bill_id text not null references bill,
  -- Grows with each extension: the ladder begins anew from its date.
  round integer not null check (round >= 0),
  step text not null,
  -- Days after the due date at which the ladder had it.
  day integer not null,
  action text not null check (action in ('reminder', 'past_due', 'suspend')),
  -- A reminder that came due while nobody could send it is left out for a newer one.
  is_skipped boolean not null,
  taken_at timestamptz not null,
  due_minor bigint not null,
  primary key (bill_id, round, step)
);
create trigger dunning_step_fixed before update or delete on dunning_step for each row execute function refuse_change();

create table dunning_extension (
  bill_id text not null references bill,
  round integer not null check (round > 0),
  until_day date not null,
  reason text not null,
  granted_by text not null,
  granter_name text not null,
  granted_at timestamptz not null,
  primary key (bill_id, round)
);
create trigger dunning_extension_fixed before update or delete on dunning_extension for each row execute function refuse_change();

create table dunning_exemption (
  organization_id text primary key references organization,
  reason text not null,
  made_by text not null,
  made_at timestamptz not null
);

-- Organizations that are past due or suspended now, and the bill that brought them there.
create table dunning_hold (
  organization_id text primary key references organization,
  level text not null check (level in ('past_due', 'suspended')),
  since timestamptz not null,
  bill_id text not null references bill
);

create table dunning_release (
  organization_id text not null references organization,
  position integer generated always as identity,
  level text not null,
  held_since timestamptz not null,
  released_at timestamptz not null,
  cause text not null check (cause in ('settled', 'extended', 'swept')),
  -- The bill that was settled or extended last; the one that had held it when nobody did either.
  bill_id text not null references bill,
  said text not null,
  primary key (organization_id, position)
);
create index dunning_release_of_bill on dunning_release (bill_id);
create trigger dunning_release_fixed before update or delete on dunning_release for each row execute function refuse_change();

create table dunning_rehearsal (
  id text primary key,
  -- Ladder, minimums, delay and exemptions that it was worked out for, in one form.
  plan_key text not null,
  result jsonb not null,
  made_at timestamptz not null,
  made_by text not null
);
