-- What single organizations pay instead of the list price, for a time; and who published a price.

-- A user's id; null: the console itself (an import, say).
alter table price_version add column created_by text;

create table price_override (
  id text primary key,
  service_id text not null references service on delete cascade,
  organization_id text not null references organization,
  effective_from timestamptz not null,
  -- null: until further notice.
  effective_until timestamptz check (effective_until > effective_from),
  currency char(3) not null,
  pricing jsonb not null,
  reason text not null,
  created_at timestamptz not null,
  created_by text
);
create index price_override_of_pair on price_override (service_id, organization_id, effective_from);

-- What was agreed stays as it was; only its end may be set, and what was charged by it is never undone.
create function price_override_only_ends() returns trigger language plpgsql as $$
begin
  if (old.id, old.service_id, old.organization_id, old.effective_from, old.currency, old.pricing, old.reason, old.created_at) is distinct from
     (new.id, new.service_id, new.organization_id, new.effective_from, new.currency, new.pricing, new.reason, new.created_at)
     or new.effective_until is null or new.effective_until > old.effective_until then
    raise exception 'an override is only ended' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger price_override_ends before update on price_override for each row execute function price_override_only_ends();

-- Two prices at one time are impossible by the lock on the service; where the server offers the means, the table says so too.
do $$
begin
  if exists (select from pg_available_extensions where name = 'btree_gist') then
    begin
      create extension if not exists btree_gist;
      alter table price_override add constraint price_override_one_at_a_time
        exclude using gist (service_id with =, organization_id with =, tstzrange(effective_from, effective_until) with &&);
    exception when insufficient_privilege then
      raise notice 'without btree_gist: overlapping overrides are refused by the console alone';
    end;
  end if;
end $$;
