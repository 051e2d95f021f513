-- Credit grants: prepaid and promotional credit of organizations, and everything that moved it.

create table credit_grant (
  id text primary key,
  organization_id text not null references organization,
  kind text not null check (kind in ('paid', 'promotional')),
  origin text not null check (origin in ('admin', 'bought', 'top_up')),
  name_zh_tw text not null,
  name_en_us text not null,
  -- Of a recurring grant: each month's.
  amount_minor bigint not null check (amount_minor > 0),
  currency char(3) not null,
  -- Lower ones are used first.
  priority smallint not null check (priority between 0 and 100),
  -- Null: all services.
  services text[] check (cardinality(services) > 0),
  usage_only boolean not null,
  starts_on char(7) not null,
  -- The last month whose bill it covers.
  last_month char(7),
  recurs boolean not null,
  rolls_over boolean not null,
  note text not null,
  created_at timestamptz not null,
  created_by text not null,
  creator_name text not null,
  withdrawn_at timestamptz,
  withdrawn_by text,
  withdrawer_name text,
  withdrawal_reason text,
  -- Rises whenever what is left changes other than by the month's renewal, so that a close notices that what it read is outdated.
  version bigint not null default 0,
  -- The sums of its movements, kept by the database.
  granted_minor bigint not null default 0,
  used_minor bigint not null default 0 check (used_minor >= 0),
  expired_minor bigint not null default 0 check (expired_minor >= 0),
  withdrawn_minor bigint not null default 0 check (withdrawn_minor >= 0),
  remaining_minor bigint not null generated always as (granted_minor - used_minor - expired_minor - withdrawn_minor) stored,
  check (remaining_minor >= 0),
  check (last_month >= starts_on),
  check (kind = 'promotional' or not recurs),
  check (recurs or not rolls_over),
  check ((withdrawn_at is null) = (withdrawn_by is null) and (withdrawn_at is null) = (withdrawer_name is null) and (withdrawn_at is null) = (withdrawal_reason is null))
);
create index credit_grant_newest on credit_grant (created_at desc, id desc);
create index credit_grant_of_organization on credit_grant (organization_id, created_at desc, id desc);
create index credit_grant_with_rest on credit_grant (organization_id) where remaining_minor > 0;
create index credit_grant_recurring on credit_grant (organization_id) where recurs and withdrawn_at is null;

-- What was agreed never changes; what was given stays.
create function keep_credit_grant() returns trigger language plpgsql as $$
begin
  if (old.id, old.organization_id, old.kind, old.origin, old.name_zh_tw, old.name_en_us, old.amount_minor, old.currency, old.priority, old.services, old.usage_only, old.starts_on, old.last_month, old.recurs, old.rolls_over, old.note, old.created_at, old.created_by, old.creator_name)
    is distinct from (new.id, new.organization_id, new.kind, new.origin, new.name_zh_tw, new.name_en_us, new.amount_minor, new.currency, new.priority, new.services, new.usage_only, new.starts_on, new.last_month, new.recurs, new.rolls_over, new.note, new.created_at, new.created_by, new.creator_name)
    or (old.withdrawn_at is not null and (old.withdrawn_at, old.withdrawn_by, old.withdrawer_name, old.withdrawal_reason) is distinct from (new.withdrawn_at, new.withdrawn_by, new.withdrawer_name, new.withdrawal_reason)) then
    raise exception 'the terms of credit grant % are fixed', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger credit_grant_terms before update on credit_grant for each row execute function keep_credit_grant();
create trigger credit_grant_fixed before delete on credit_grant for each row execute function refuse_change();
create trigger credit_grant_kept before truncate on credit_grant for each statement execute function refuse_change();

create table credit_movement (
  id text primary key,
  grant_id text not null references credit_grant,
  kind text not null check (kind in ('granted', 'used', 'restored', 'expired', 'withdrawn')),
  month char(7) not null,
  -- Above zero gives, below takes.
  minor bigint not null check (minor <> 0),
  bill_id text,
  bill_number text,
  at timestamptz not null,
  by_id text not null,
  -- Null: the console itself.
  by_name text,
  check ((minor > 0) = (kind in ('granted', 'restored'))),
  check ((kind in ('used', 'restored')) = (bill_id is not null) and (bill_id is null) = (bill_number is null))
);
create index credit_movement_of_grant on credit_movement (grant_id, id);
create unique index credit_movement_granted_once on credit_movement (grant_id, month) where kind = 'granted';
create unique index credit_movement_of_bill on credit_movement (bill_id, grant_id, kind) where bill_id is not null;
create trigger credit_movement_fixed before update or delete on credit_movement for each row execute function refuse_change();
create trigger credit_movement_kept before truncate on credit_movement for each statement execute function refuse_change();

create function take_credit_movements() returns trigger language plpgsql as $$
declare
  overdrawn text;
begin
  update credit_grant g set
      granted_minor = g.granted_minor + moved.granted,
      used_minor = g.used_minor - moved.used,
      expired_minor = g.expired_minor - moved.expired,
      withdrawn_minor = g.withdrawn_minor - moved.withdrawn,
      version = g.version + moved.changes
    from (select grant_id,
        coalesce(sum(minor) filter (where kind = 'granted'), 0)::bigint as granted,
        coalesce(sum(minor) filter (where kind in ('used', 'restored')), 0)::bigint as used,
        coalesce(sum(minor) filter (where kind = 'expired'), 0)::bigint as expired,
        coalesce(sum(minor) filter (where kind = 'withdrawn'), 0)::bigint as withdrawn,
        (bool_or(kind <> 'granted'))::int as changes
      from added group by grant_id) moved
    where g.id = moved.grant_id;
  -- Without rollover each month stands alone: a month cannot take what another one was given. The update above holds the grants' locks,
  -- so no other transaction can add movements meanwhile.
  select m.grant_id into overdrawn
    from credit_movement m join credit_grant g on g.id = m.grant_id
    where g.recurs and not g.rolls_over and (m.grant_id, m.month) in (select a.grant_id, a.month from added a where a.minor < 0)
    group by m.grant_id, m.month having sum(m.minor) < 0 limit 1;
  if overdrawn is not null then
    raise exception 'credit grant % has less left for that month', overdrawn using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger credit_movement_taken after insert on credit_movement referencing new table as added for each statement execute function take_credit_movements();

-- Auto top-up and the warning about low credit, by organization and currency.
create table credit_top_up (
  organization_id text not null references organization,
  currency char(3) not null,
  threshold_minor bigint check (threshold_minor > 0),
  amount_minor bigint check (amount_minor > 0),
  monthly_cap_minor bigint check (monthly_cap_minor >= amount_minor),
  warn_below_minor bigint check (warn_below_minor > 0),
  -- Since when it is below that; null while it is enough.
  warned_at timestamptz,
  changed_at timestamptz not null,
  changed_by text not null,
  primary key (organization_id, currency),
  check ((threshold_minor is null) = (amount_minor is null) and (amount_minor is null) = (monthly_cap_minor is null))
);
