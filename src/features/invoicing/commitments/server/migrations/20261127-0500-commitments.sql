-- Commitments: what organizations commit to spend over a term, and what their bills drew of it.

create table commitment (
  id text primary key,
  organization_id text not null references organization,
  name_zh_tw text not null,
  name_en_us text not null,
  currency char(3) not null,
  -- Null: all services.
  services text[] check (cardinality(services) > 0),
  -- Single charges of rate cards; every such service is among the services.
  charges jsonb check (charges is null or (jsonb_typeof(charges) = 'array' and jsonb_array_length(charges) > 0 and services is not null)),
  usage_only boolean not null,
  starts_on char(7) not null,
  months smallint not null check (months between 1 and 120),
  period text not null check (period in ('month', 'quarter', 'year', 'contract')),
  period_months smallint not null check (period_months > 0 and months % period_months = 0),
  -- One for each period.
  amounts_minor bigint[] not null check (cardinality(amounts_minor) = months / period_months and 0 < all (amounts_minor)),
  committed_percent numeric(7, 4) not null check (committed_percent > 0 and committed_percent <= 100),
  overage_percent numeric(8, 4) not null check (overage_percent > 0 and overage_percent <= 1000),
  -- The last month that counts: as agreed, or of an early end. Before starts_on when it ended before it began.
  last_month char(7) not null,
  note text not null,
  created_at timestamptz not null,
  created_by text not null,
  creator_name text not null,
  settlement text check (settlement in ('none', 'prorated', 'period', 'all')),
  ended_at timestamptz,
  ended_by text,
  ender_name text,
  end_reason text,
  -- Rises whenever what bills drew or an early end changes it, so that a close notices that what it read is outdated.
  version bigint not null default 0,
  check ((ended_at is null) = (settlement is null) and (ended_at is null) = (ended_by is null) and (ended_at is null) = (ender_name is null) and (ended_at is null) = (end_reason is null)),
  check (last_month >= starts_on or settlement = 'none')
);
create index commitment_newest on commitment (created_at desc, id desc);
create index commitment_of_organization on commitment (organization_id, last_month);
create index commitment_by_last_month on commitment (last_month);

-- What was agreed never changes; it ends once.
create function keep_commitment() returns trigger language plpgsql as $$
begin
  if (old.id, old.organization_id, old.currency, old.services, old.charges, old.usage_only, old.starts_on, old.months, old.period, old.period_months, old.amounts_minor, old.committed_percent, old.overage_percent, old.created_at, old.created_by, old.creator_name)
    is distinct from (new.id, new.organization_id, new.currency, new.services, new.charges, new.usage_only, new.starts_on, new.months, new.period, new.period_months, new.amounts_minor, new.committed_percent, new.overage_percent, new.created_at, new.created_by, new.creator_name)
    or (old.ended_at is not null and (old.last_month, old.settlement, old.ended_at, old.ended_by, old.ender_name, old.end_reason) is distinct from (new.last_month, new.settlement, new.ended_at, new.ended_by, new.ender_name, new.end_reason))
    or (new.ended_at is null and new.last_month <> old.last_month)
    or new.last_month > old.last_month then
    raise exception 'the terms of commitment % are fixed', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger commitment_terms before update on commitment for each row execute function keep_commitment();
create trigger commitment_fixed before delete on commitment for each row execute function refuse_change();
create trigger commitment_kept before truncate on commitment for each statement execute function refuse_change();

-- What a bill made of a period. Bills belong to a feature that is built on this one, so they are not referenced.
create table commitment_use (
  commitment_id text not null references commitment,
  bill_id text not null,
  bill_number text not null,
  month char(7) not null,
  -- From 0 on.
  period smallint not null check (period >= 0),
  -- Below zero: refunds gave something back.
  drawn_minor bigint not null,
  -- Charged because too little was drawn; below zero: taken back.
  true_up_minor bigint not null,
  -- Whether the bill settled the period.
  is_settlement boolean not null,
  at timestamptz not null,
  -- When the bill was voided.
  released_at timestamptz,
  primary key (commitment_id, bill_id),
  check (true_up_minor = 0 or is_settlement)
);
create index commitment_use_of_bill on commitment_use (bill_id);

-- The sums of the uses of bills that stand, kept by the database.
create table commitment_period (
  commitment_id text not null references commitment,
  period smallint not null,
  drawn_minor bigint not null,
  true_up_minor bigint not null,
  settlements integer not null check (settlements >= 0),
  primary key (commitment_id, period)
);

-- A use changes only when its bill is voided, and then once.
create function keep_commitment_use() returns trigger language plpgsql as $$
begin
  if old.released_at is not null or new.released_at is null
    or (old.commitment_id, old.bill_id, old.bill_number, old.month, old.period, old.drawn_minor, old.true_up_minor, old.is_settlement, old.at)
      is distinct from (new.commitment_id, new.bill_id, new.bill_number, new.month, new.period, new.drawn_minor, new.true_up_minor, new.is_settlement, new.at) then
    raise exception 'what bill % drew is fixed', old.bill_number using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger commitment_use_terms before update on commitment_use for each row execute function keep_commitment_use();
create trigger commitment_use_fixed before delete on commitment_use for each row execute function refuse_change();
create trigger commitment_use_kept before truncate on commitment_use for each statement execute function refuse_change();

-- Adds what bills drew to the periods' sums. The commitments are locked in one order, and not against the foreign keys of other writers,
-- so that writers wait for each other and never in a circle.
create function take_commitment_uses() returns trigger language plpgsql as $$
declare
  overdrawn text;
begin
  perform 1 from commitment where id in (select commitment_id from added) order by id for no key update;
  update commitment set version = version + 1 where id in (select commitment_id from added);
  insert into commitment_period as p (commitment_id, period, drawn_minor, true_up_minor, settlements)
    select commitment_id, period, sum(drawn_minor), sum(true_up_minor), count(*) filter (where is_settlement) from added group by 1, 2
    on conflict (commitment_id, period) do update set
      drawn_minor = p.drawn_minor + excluded.drawn_minor,
      true_up_minor = p.true_up_minor + excluded.true_up_minor,
      settlements = p.settlements + excluded.settlements;
  -- Refunds give back no more than was drawn. (Voiding a bill may leave less than nothing, when refunds on other bills gave back some of it.)
  select a.commitment_id into overdrawn
    from added a join commitment_period p on p.commitment_id = a.commitment_id and p.period = a.period
    where a.drawn_minor < 0 and p.drawn_minor < 0 limit 1;
  if overdrawn is not null then
    raise exception 'bills drew less of that period of commitment %', overdrawn using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger commitment_use_taken after insert on commitment_use referencing new table as added for each statement execute function take_commitment_uses();

-- Takes what voided bills drew off the sums again.
create function release_commitment_uses() returns trigger language plpgsql as $$
begin
  perform 1 from commitment where id in (select commitment_id from released) order by id for no key update;
  update commitment set version = version + 1 where id in (select commitment_id from released);
  update commitment_period p set
      drawn_minor = p.drawn_minor - r.drawn_minor,
      true_up_minor = p.true_up_minor - r.true_up_minor,
      settlements = p.settlements - r.settlements
    from (select commitment_id, period, sum(drawn_minor) as drawn_minor, sum(true_up_minor) as true_up_minor, count(*) filter (where is_settlement) as settlements
      from released group by 1, 2) r
    where p.commitment_id = r.commitment_id and p.period = r.period;
  return null;
end $$;
create trigger commitment_use_released after update on commitment_use referencing new table as released for each statement execute function release_commitment_uses();

-- Where running periods are heading, as last estimated: open months are not in the database, so lists filter and sort by this.
create table commitment_outlook (
  commitment_id text primary key references commitment,
  period smallint not null,
  used_minor bigint not null,
  expected_minor bigint not null,
  true_up_minor bigint not null,
  risk text not null check (risk in ('on_track', 'behind', 'over')),
  at timestamptz not null
);
create index commitment_outlook_by_risk on commitment_outlook (risk);
