-- Whether organizations have prepaid credit left for services that require it. Metering reads it with what else it needs to judge events;
-- the feature of credit grants works it out.

create table credit_cover (
  organization_id text not null references organization,
  service_id text not null references service on delete cascade,
  -- Since when there is none, and events are rejected; null while there is some.
  stopped_at timestamptz,
  -- Since when most of it is used; null while there is more.
  warned_at timestamptz,
  -- When members were told that it stopped.
  told_at timestamptz,
  checked_at timestamptz not null,
  primary key (organization_id, service_id)
);
create index credit_cover_oldest on credit_cover (checked_at);

-- Organizations whose cover is to be worked out again. Rows are only added, so that metering never waits for another transaction here.
create table credit_check (
  id bigint generated always as identity primary key,
  organization_id text not null
);
