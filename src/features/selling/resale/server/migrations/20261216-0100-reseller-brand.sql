-- How a reseller shows itself to its customers. Its name is that of its bills.
create table reseller_brand (
  reseller_id text primary key references reseller (organization_id),
  accent char(7) check (accent ~ '^#[0-9A-F]{6}$'),
  -- Of mails: the name beside the operator's address, and where answers go.
  sender_name text not null default '',
  reply_to text not null default '',
  -- A PNG; its id changes with every new one, so that caches never show the former.
  logo_id text unique,
  logo bytea,
  -- Its own host name, and what a TXT record has to say before it counts.
  host text,
  host_challenge text,
  host_verified_at timestamptz,
  check ((logo_id is null) = (logo is null)),
  check ((host is null) = (host_challenge is null)),
  check (host is not null or host_verified_at is null)
);
-- Several may claim a host name, one has proved it.
create unique index reseller_brand_of_host on reseller_brand (host) where host_verified_at is not null;
