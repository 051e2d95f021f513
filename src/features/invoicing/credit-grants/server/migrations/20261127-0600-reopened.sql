-- Credit that a voided bill gave back, that expired meanwhile, and that the bill in its place may use: its expiry is taken back.

alter table credit_movement drop constraint credit_movement_kind_check;
alter table credit_movement add constraint credit_movement_kind_check check (kind in ('granted', 'used', 'restored', 'expired', 'reopened', 'withdrawn'));
alter table credit_movement drop constraint credit_movement_check;
alter table credit_movement add constraint credit_movement_check check ((minor > 0) = (kind in ('granted', 'restored', 'reopened')));

create or replace function take_credit_movements() returns trigger language plpgsql as $$
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
        coalesce(sum(minor) filter (where kind in ('expired', 'reopened')), 0)::bigint as expired,
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
