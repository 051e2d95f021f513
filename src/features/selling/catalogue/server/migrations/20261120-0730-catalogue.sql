-- What is sold, and the prices it had and has.

create table service (
  id text primary key,
  name text not null,
  type text not null,
  category text not null,
  description text not null default '',
  status text not null default 'active' check (status in ('active', 'inactive')),
  release_state text not null default 'Active' check (release_state in ('Active', 'Beta', 'Coming Soon')),
  billing_cycle text not null default 'monthly' check (billing_cycle in ('monthly', 'yearly')),
  quota_type text not null default 'unlimited' check (quota_type in ('unlimited', 'soft', 'hard')),
  quota_limit numeric check ((quota_type = 'unlimited') = (quota_limit is null)),
  features jsonb not null default '[]',
  tags text[] not null default '{}',
  popular boolean not null default false,
  recommended boolean not null default false,
  -- How usage is metered. It belongs to the service, not to a price: a new price never counts old usage anew.
  event_type text not null,
  aggregation text not null check (aggregation in ('sum', 'count', 'max', 'unique_count', 'latest')),
  aggregation_property text,
  unit text not null,
  external_ref text unique,
  created_at timestamptz not null
);
call count_rows_of('service', 'status', 'type');

create table price_version (
  id text primary key,
  service_id text not null references service on delete cascade,
  effective_from timestamptz not null,
  currency char(3) not null,
  pricing jsonb not null,
  created_at timestamptz not null,
  unique (service_id, effective_from)
);
create trigger price_version_fixed before update on price_version for each row execute function refuse_change();
