-- What unpaid bills do to subscriptions: a flag for each organization that a column further right writes, and what follows from it here.

create table subscription_hold (
  organization_id text primary key references organization,
  level text not null check (level in ('past_due', 'suspended')),
  since timestamptz not null
);

-- The state that a held subscription would have: pauses, cancellations and ends go on beneath, and it returns to this.
alter table subscription add column held_state text check (held_state in ('active', 'paused', 'cancelling'));
update subscription set held_state = 'active' where state in ('past_due', 'suspended');
alter table subscription add check ((held_state is not null) = (state in ('past_due', 'suspended')));

-- When nothing was served because of it; like pauses, these days cost no base fee.
create table subscription_suspension (
  subscription_id text not null references subscription,
  position integer generated always as identity,
  from_at timestamptz not null,
  until_at timestamptz check (until_at >= from_at),
  primary key (subscription_id, position)
);
create unique index subscription_suspension_open on subscription_suspension (subscription_id) where until_at is null;

create function refuse_suspension_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or old.until_at is not null or new.from_at <> old.from_at then
    raise exception 'a suspension that was is never changed or removed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger subscription_suspension_fixed before update or delete on subscription_suspension for each row execute function refuse_suspension_change();
