-- Daily exchange rates. A rate is never changed: another version of its day follows it, so that what was reported with it can be worked out again.

create table exchange_rate (
  id text primary key,
  -- One unit of this is …
  currency char(3) not null,
  -- … so many of this.
  against char(3) not null check (against <> currency),
  day date not null,
  version integer not null check (version > 0),
  rate numeric not null check (rate > 0),
  source text not null check (source in ('ecb', 'manual')),
  set_at timestamptz not null,
  set_by text not null,
  setter_name text not null,
  unique (currency, against, day, version)
);
create index exchange_rate_newest on exchange_rate (day desc, id desc);
create trigger exchange_rate_fixed before update or delete on exchange_rate for each row execute function refuse_change();
create trigger exchange_rate_kept before truncate on exchange_rate for each statement execute function refuse_change();
