-- How long sessions last, and from which networks people sign in: for an organization's people, or the platform's.
create table session_policy (
  organization_id text references organization on delete cascade,
  scope text generated always as (coalesce(organization_id, 'platform')) stored primary key,
  -- Null: only the end of the session counts.
  idle_minutes int check (idle_minutes between 15 and 1440),
  -- Null: as long as any session lasts.
  session_hours int check (session_hours between 1 and 72),
  -- Empty: from anywhere.
  networks text[] not null default '{}',
  changed_at timestamptz not null,
  changed_by text not null
);
