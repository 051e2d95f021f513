-- Bills: one for each organization, month and currency, numbered without gaps, unchangeable once issued.

create table bill_series (
  series text primary key,
  last_number integer not null
);

create table bill (
  id text primary key,
  organization_id text not null references organization,
  month char(7) not null,
  currency char(3) not null,
  series text not null,
  sequence integer not null,
  number text not null unique,
  state text not null check (state in ('open', 'paid', 'void')),
  period_start timestamptz not null,
  period_end timestamptz not null,
  issued_at timestamptz not null,
  due_at timestamptz not null,
  net_minor bigint not null,
  tax_rate numeric not null,
  tax_minor bigint not null,
  total_minor bigint not null,
  paid_minor bigint not null default 0,
  paid_at timestamptz,
  -- Who it is for, as it was when it was issued.
  buyer jsonb not null,
  content_hash text not null,
  unique (organization_id, month, currency),
  unique (series, sequence),
  check (total_minor = net_minor + tax_minor),
  check (paid_minor between least(0, total_minor) and greatest(0, total_minor)),
  check ((state = 'paid') = (paid_at is not null))
);
create index bill_newest on bill (issued_at desc, id desc);
create index bill_of_organization on bill (organization_id, issued_at desc, id desc);
create index bill_newest_of_state on bill (state, issued_at desc, id desc);
-- An organization's own bills are few and counted from their index; only the lists of all need counters.
call count_rows_of('bill', 'state', 'currency');

create table bill_line (
  bill_id text not null references bill,
  position integer not null,
  kind text not null check (kind in ('base_fee', 'usage', 'minimum', 'adjustment')),
  subscription_id text not null,
  service_id text not null,
  service_name text not null,
  price_version_id text not null,
  quantity numeric not null,
  unit text not null,
  -- Null where one price does not say it: tiers and packages, whose steps stand in `arithmetic`.
  unit_price numeric,
  exact_amount numeric not null,
  amount_minor bigint not null,
  arithmetic jsonb not null,
  primary key (bill_id, position)
);
create index bill_line_of_subscription on bill_line (subscription_id);
create trigger bill_line_fixed before update or delete on bill_line for each row execute function refuse_change();
create trigger bill_line_kept before truncate on bill_line for each statement execute function refuse_change();

-- What was issued stays; only how far it is paid may change.
create function refuse_bill_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or
     (to_jsonb(new) - array['state', 'paid_minor', 'paid_at']) is distinct from (to_jsonb(old) - array['state', 'paid_minor', 'paid_at']) or
     old.state = 'void' or (old.state = 'paid' and new.state <> 'paid')
  then
    raise exception 'an issued bill is never changed or removed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger bill_fixed before update or delete on bill for each row execute function refuse_bill_change();
create trigger bill_kept before truncate on bill for each statement execute function refuse_change();

-- One row for each month close that was asked for: its progress and its result.
create table close_run (
  id text primary key,
  month char(7) not null,
  state text not null check (state in ('running', 'done')),
  organizations_total integer not null default 0,
  organizations_done integer not null default 0,
  issued integer not null default 0,
  skipped integer not null default 0,
  started_at timestamptz not null,
  finished_at timestamptz,
  started_by text not null
);
create index close_run_newest on close_run (id desc);

-- Organizations that a close could not bill, with the reason; the next close tries them again.
create table bill_parked (
  organization_id text not null references organization,
  month char(7) not null,
  reason text not null,
  parked_at timestamptz not null,
  primary key (organization_id, month)
);
