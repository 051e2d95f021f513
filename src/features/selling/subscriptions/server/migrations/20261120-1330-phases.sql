-- What a subscription was, is and will be: which plan and how many from when on, when it is paused, how long its terms are.
-- What is still to come stands here too, with its moment, so that bills never depend on when somebody notes that it came.

alter table subscription
  -- service_id and state say what holds now; the job that brings them up to date may be late, the rows below are not.
  add column quantity numeric not null default 1 check (quantity > 0),
  add column trial_ends_at timestamptz,
  add column auto_renew boolean not null default true,
  -- Grows with every change: two people who change the same subscription notice each other.
  add column version integer not null default 1,
  -- The next moment at which something that stands below has to be noted.
  add column next_step_at timestamptz;
create index subscription_due on subscription (next_step_at) where next_step_at is not null;
update subscription set next_step_at = ends_at where state = 'cancelling';

create table subscription_phase (
  subscription_id text not null references subscription,
  position integer generated always as identity,
  -- The first phase holds from the subscription's start, whatever stands here.
  from_at timestamptz not null,
  -- Null: it had expired and was not served until the next phase.
  service_id text references service,
  quantity numeric not null check (quantity > 0),
  -- Where the years of a yearly plan are counted from; the day is remembered through short months.
  year_anchor date,
  is_applied boolean not null,
  primary key (subscription_id, position)
);
create unique index subscription_phase_pending on subscription_phase (subscription_id) where not is_applied;
create index subscription_phase_of_service on subscription_phase (service_id);
insert into subscription_phase (subscription_id, from_at, service_id, quantity, year_anchor, is_applied)
  select b.id, b.started_at, b.service_id, 1, case when s.billing_cycle = 'yearly' then (b.started_at at time zone o.time_zone)::date end, true
  from subscription b join service s on s.id = b.service_id join organization o on o.id = b.organization_id;

-- What has begun is history; only what is still to come can be taken back.
create function refuse_phase_change() returns trigger language plpgsql as $$
begin
  if old.is_applied then
    raise exception 'a phase that has begun is never changed or removed' using errcode = 'restrict_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger subscription_phase_fixed before update or delete on subscription_phase for each row execute function refuse_phase_change();

create table subscription_pause (
  subscription_id text not null references subscription,
  position integer generated always as identity,
  from_at timestamptz not null,
  until_at timestamptz check (until_at >= from_at),
  is_begun boolean not null,
  is_over boolean not null default false,
  primary key (subscription_id, position),
  check (not is_over or (is_begun and until_at is not null))
);
create unique index subscription_pause_open on subscription_pause (subscription_id) where not is_over;
insert into subscription_pause (subscription_id, from_at, until_at, is_begun, is_over)
  select subscription_id, at, greatest(at, left_at), true, left_at is not null
  from (select subscription_id, at, to_state, lead(at) over (partition by subscription_id order by position) as left_at
    from subscription_transition where to_state = 'paused' or from_state = 'paused') as step
  where to_state = 'paused';

create function refuse_pause_change() returns trigger language plpgsql as $$
begin
  if old.is_over or (old.is_begun and (tg_op = 'DELETE' or new.from_at <> old.from_at)) then
    raise exception 'a pause that was is never changed or removed' using errcode = 'restrict_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger subscription_pause_fixed before update or delete on subscription_pause for each row execute function refuse_pause_change();

-- Terms that were begun or bought ahead. One that begins at a moment is there once: a renewal cannot happen twice.
create table subscription_term (
  subscription_id text not null references subscription,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  noted_at timestamptz not null,
  primary key (subscription_id, starts_at)
);
create trigger subscription_term_fixed before update or delete on subscription_term for each row execute function refuse_change();

alter table subscription_transition
  -- What a step was about: plan, quantity, the moment it is for.
  add column detail jsonb not null default '{}',
  -- What the person said about it.
  add column said text not null default '' check (length(said) <= 300);
