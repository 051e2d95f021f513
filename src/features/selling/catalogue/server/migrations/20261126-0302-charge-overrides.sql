-- An organization may agree on single charges of a rate card; the others follow the list price.

-- Whether only the charges in `pricing` were agreed on.
alter table price_override add column only_charges boolean not null default false;

create or replace function price_override_only_ends() returns trigger language plpgsql as $$
begin
  if (old.id, old.service_id, old.organization_id, old.effective_from, old.currency, old.pricing, old.only_charges, old.reason, old.created_at) is distinct from
     (new.id, new.service_id, new.organization_id, new.effective_from, new.currency, new.pricing, new.only_charges, new.reason, new.created_at)
     or new.effective_until is null or new.effective_until > old.effective_until then
    raise exception 'an override is only ended' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- What such an agreement makes of each version of the list price. Bills name the row by which they were priced.
create table price_override_segment (
  id text primary key,
  override_id text not null references price_override on delete cascade,
  version_id text not null references price_version on delete cascade,
  pricing jsonb not null,
  unique (override_id, version_id)
);
create index price_override_segment_of_version on price_override_segment (version_id);
create trigger price_override_segment_fixed before update on price_override_segment for each row execute function refuse_change();
