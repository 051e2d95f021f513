-- What an organization is charged or credited once.
create table one_off_charge (
  id text primary key,
  organization_id text not null references organization,
  -- Null: of no service in particular.
  subscription_id text references subscription,
  kind text not null check (kind in ('charge', 'credit')),
  -- In both languages, as it stands on the bill.
  name jsonb not null,
  quantity numeric(18, 6) not null check (quantity > 0),
  unit_price numeric(24, 12) not null check (unit_price > 0),
  currency char(3) not null,
  -- Their product, rounded once; below zero for a credit.
  amount_minor bigint not null check (case kind when 'charge' then amount_minor > 0 else amount_minor < 0 end),
  -- A day of the organization's own calendar.
  charge_on date not null,
  billing text not null check (billing in ('next_bill', 'own_bill')),
  -- For Admins only.
  note text not null,
  state text not null check (state in ('awaiting_approval', 'approved', 'billed', 'rejected', 'withdrawn')),
  -- Counts the changes of the state, so that a bill notices one since it read the row.
  version bigint not null default 1,
  created_by text not null,
  created_at timestamptz not null,
  -- Null where nobody had to approve.
  approved_by text,
  approved_at timestamptz,
  bill_id text,
  bill_number text,
  check ((state = 'billed') = (bill_id is not null and bill_number is not null))
);
create index one_off_charge_newest on one_off_charge (created_at desc, id desc);
create index one_off_charge_of_organization on one_off_charge (organization_id, created_at desc, id desc);
create index one_off_charge_due on one_off_charge (organization_id, charge_on, id) where state = 'approved';
create index one_off_charge_of_bill on one_off_charge (bill_id) where bill_id is not null;
call count_rows_of('one_off_charge', 'state', 'currency');

-- What was agreed stays as it was; only its state moves on.
create function one_off_charge_only_moves() returns trigger language plpgsql as $$
begin
  if (old.id, old.organization_id, old.subscription_id, old.kind, old.name, old.quantity, old.unit_price, old.currency, old.amount_minor, old.charge_on, old.billing, old.note, old.created_by, old.created_at) is distinct from
     (new.id, new.organization_id, new.subscription_id, new.kind, new.name, new.quantity, new.unit_price, new.currency, new.amount_minor, new.charge_on, new.billing, new.note, new.created_by, new.created_at)
     or new.version <= old.version
     or (old.state, new.state) not in (('awaiting_approval', 'approved'), ('awaiting_approval', 'rejected'), ('awaiting_approval', 'withdrawn'),
       ('approved', 'approved'), ('approved', 'billed'), ('approved', 'withdrawn'), ('billed', 'approved')) then
    raise exception 'of a one-off charge only the state moves on' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger one_off_charge_moves before update on one_off_charge for each row execute function one_off_charge_only_moves();
create trigger one_off_charge_stays before delete on one_off_charge for each row execute function refuse_change();
create trigger one_off_charge_kept before truncate on one_off_charge for each statement execute function refuse_change();

-- Its history: who did what, and why.
create table one_off_step (
  one_off_id text not null references one_off_charge,
  -- The version that the step made.
  version bigint not null,
  step text not null check (step in ('created', 'approved', 'rejected', 'withdrawn', 'billed', 'released')),
  at timestamptz not null,
  -- Null: the console itself.
  by text,
  reason text not null,
  bill_number text,
  primary key (one_off_id, version)
);
create trigger one_off_step_fixed before update or delete on one_off_step for each row execute function refuse_change();
create trigger one_off_step_kept before truncate on one_off_step for each statement execute function refuse_change();

-- What an organization's months cost at least, before tax.
create table minimum_spend (
  id text primary key,
  organization_id text not null references organization,
  currency char(3) not null,
  amount_minor bigint not null check (amount_minor > 0),
  -- First days of months, [from, until); null: without an end. Empty when it was cancelled before its first month.
  from_on date not null check (extract(day from from_on) = 1),
  until_on date check (extract(day from until_on) = 1 and until_on >= from_on),
  created_by text not null,
  created_at timestamptz not null,
  ended_by text,
  ended_at timestamptz
);
create index minimum_spend_of_organization on minimum_spend (organization_id, currency, from_on);
create index minimum_spend_newest on minimum_spend (created_at desc, id desc);

create function minimum_spend_only_ends() returns trigger language plpgsql as $$
begin
  if (old.id, old.organization_id, old.currency, old.amount_minor, old.from_on, old.created_by, old.created_at) is distinct from
     (new.id, new.organization_id, new.currency, new.amount_minor, new.from_on, new.created_by, new.created_at)
     or new.until_on is null or new.until_on > old.until_on then
    raise exception 'a minimum spend is only ended' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger minimum_spend_ends before update on minimum_spend for each row execute function minimum_spend_only_ends();
create trigger minimum_spend_stays before delete on minimum_spend for each row execute function refuse_change();
create trigger minimum_spend_kept before truncate on minimum_spend for each statement execute function refuse_change();

-- Two minimums in one month are impossible by the console's lock; where the server offers the means, the table says so too.
do $$
begin
  if exists (select from pg_available_extensions where name = 'btree_gist') then
    begin
      create extension if not exists btree_gist;
      alter table minimum_spend add constraint minimum_spend_one_at_a_time
        exclude using gist (organization_id with =, currency with =, daterange(from_on, until_on) with &&);
    exception when insufficient_privilege then
      raise notice 'without btree_gist: overlapping minimum spends are refused by the console alone';
    end;
  end if;
end $$;
