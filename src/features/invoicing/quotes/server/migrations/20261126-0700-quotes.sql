-- The numbers of quotes; a quote takes the next one of its month as it is first sent.
create table quote_series (
  series text primary key,
  last_number integer not null
);

-- What is offered to an organization.
create table quote (
  id text primary key,
  -- Null until it is sent.
  series text references quote_series,
  sequence integer,
  number text unique,
  organization_id text not null references organization,
  currency char(3) not null,
  -- It expires by the last day of the version that was sent.
  state text not null check (state in ('draft', 'sent', 'accepted', 'declined', 'withdrawn')),
  latest_version integer not null,
  -- The version that can be accepted, or was decided on.
  sent_version integer,
  -- Counts its changes.
  revision integer not null default 1,
  created_by text not null,
  created_at timestamptz not null,
  -- Who accepted, declined or withdrew it, by name; of the first two as he said, and from which address.
  decided_at timestamptz,
  decided_by text,
  decided_from text,
  decided_reason text,
  -- What it became.
  made jsonb not null default '[]',
  unique (series, sequence),
  check ((state = 'draft') = (sent_version is null)),
  check ((number is null) = (sent_version is null)),
  check ((decided_at is null) = (state in ('draft', 'sent')))
);
create index quote_newest on quote (created_at desc, id desc);
create index quote_of_organization on quote (organization_id, created_at desc, id desc);
create index quote_open on quote (organization_id) where state = 'sent';

create table quote_version (
  quote_id text not null references quote on delete cascade,
  version integer not null,
  content jsonb not null,
  -- The services with their prices as they are offered.
  offered jsonb not null,
  estimate jsonb not null,
  -- The value of the contract with tax.
  total_minor bigint not null,
  -- The last day on which it can be accepted, by the organization's own calendar.
  valid_until date not null,
  created_by text not null,
  created_at timestamptz not null,
  sent_by text,
  sent_at timestamptz,
  -- The first moment at which it can no longer be accepted.
  expires_at timestamptz,
  -- The link's secret is made of this and of a key outside of the database; here is its digest alone.
  link_salt text,
  link_hash bytea unique,
  primary key (quote_id, version),
  check ((sent_at is null) = (expires_at is null) and (sent_at is null) = (link_hash is null))
);
create index quote_version_expiring on quote_version (expires_at) where expires_at is not null;

-- What was sent stays as it was.
create function quote_version_stays() returns trigger language plpgsql as $$
begin
  if old.sent_at is not null then
    raise exception 'a version of a quote that was sent does not change' using errcode = 'restrict_violation';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;
create trigger quote_version_fixed before update or delete on quote_version for each row execute function quote_version_stays();

-- What was decided stays decided, and a number is never another one's.
create function quote_only_moves() returns trigger language plpgsql as $$
begin
  if (old.id, old.organization_id, old.currency, old.created_by, old.created_at) is distinct from
     (new.id, new.organization_id, new.currency, new.created_by, new.created_at)
     or new.revision <= old.revision
     or (old.number is not null and (old.number, old.series, old.sequence) is distinct from (new.number, new.series, new.sequence))
     or old.state in ('accepted', 'declined', 'withdrawn')
     or (old.state = 'sent' and new.state = 'draft') then
    raise exception 'a quote that was decided on does not change' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger quote_moves before update on quote for each row execute function quote_only_moves();
