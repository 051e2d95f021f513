-- Statutory e-invoices (統一發票): tracks of numbers, invoices, allowances, and every attempt to send them.

-- A number as one figure over all periods and tracks, so that ranges can be compared without an extension.
create function einvoice_position(period text, letters text, number integer) returns bigint
  language sql immutable strict parallel safe
  return ((split_part(period, '-', 1)::bigint * 12 + split_part(period, '-', 2)::bigint) * 676 + (ascii(substr(letters, 1, 1)) - 65) * 26 + ascii(substr(letters, 2, 1)) - 65) * 100000000 + number;

create table einvoice_track (
  id text primary key,
  -- The first of its two months.
  period char(7) not null check (period ~ '^20\d{2}-(01|03|05|07|09|11)$'),
  letters char(2) not null check (letters ~ '^[A-Z]{2}$'),
  from_number integer not null check (from_number between 0 and 99999999),
  to_number integer not null check (to_number between 0 and 99999999),
  -- The next one to be used; one above the last when none is left.
  next_number integer not null,
  -- The date of the newest number: dates follow the numbers.
  last_issued_at timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  unused_reported_at timestamptz,
  check (from_number <= to_number),
  check (next_number between from_number and to_number + 1),
  constraint einvoice_track_overlap exclude using gist
    (int8range(einvoice_position(period::text, letters::text, from_number), einvoice_position(period::text, letters::text, to_number), '[]') with &&)
);
create index einvoice_track_of_period on einvoice_track (period, id);

-- Bills that invoices are made for, and what their buyers chose. `look_at` is set when something of the bill changed.
create table einvoice_bill (
  bill_id text primary key references bill,
  organization_id text not null references organization,
  timing text not null check (timing in ('on_issue', 'on_payment')),
  look_at timestamptz,
  is_closed boolean not null default false,
  -- Whom its invoices are for; null: the bill's buyer, as its organization prefers.
  buyer jsonb,
  created_at timestamptz not null
);
create index einvoice_bill_to_look_at on einvoice_bill (look_at) where look_at is not null;

-- Where an organization's invoices are kept when it is no company.
create table einvoice_preference (
  organization_id text primary key references organization,
  keep text not null check (keep in ('member', 'mobile', 'citizen', 'donate', 'paper')),
  code text not null,
  changed_at timestamptz not null,
  changed_by text not null
);

create table einvoice (
  id text primary key,
  bill_id text not null references bill,
  organization_id text not null references organization,
  state text not null check (state in ('pending', 'issued', 'uploading', 'uploaded', 'failed', 'dropped')),
  kind text not null check (kind in ('company', 'consumer')),
  tax_kind text not null check (tax_kind in ('taxable', 'zero_rated', 'exempt', 'mixed')),
  provider text check (provider in ('turnkey', 'ecpay', 'ezpay')),
  track_id text references einvoice_track,
  period char(7),
  number char(10) check (number ~ '^[A-Z]{2}\d{8}$'),
  random_code char(4),
  issued_at timestamptz,
  -- Seller, buyer, carrier, items and sums as they are sent.
  document jsonb not null,
  -- What it sells, line by line, net and tax: its items follow from them and from whom it is for.
  lines jsonb not null,
  net_minor bigint not null check (net_minor >= 0),
  tax_minor bigint not null check (tax_minor >= 0),
  total_minor bigint not null check (total_minor > 0),
  created_at timestamptz not null,
  due_at timestamptz,
  warned_at timestamptz,
  -- When the provider had it, and when the Ministry had.
  sent_at timestamptz,
  uploaded_at timestamptz,
  void_reason text,
  void_asked_at timestamptz,
  voided_at timestamptz,
  -- The queue: what is left to do is due at `next_at`; while a console does it, until `busy_until`.
  attempts integer not null default 0,
  next_at timestamptz,
  busy_until timestamptz,
  -- Set before the provider is called, and cleared by its answer.
  is_unsure boolean not null default false,
  error_code text,
  error_words text,
  check (total_minor = net_minor + tax_minor),
  check ((number is null) = (issued_at is null) and (number is null) = (period is null)),
  check (sent_at is null or number is not null),
  check ((void_asked_at is null) = (void_reason is null)),
  check (voided_at is null or void_asked_at is not null)
);
-- No number twice, whatever happens.
create unique index einvoice_number_once on einvoice (period, number) where number is not null;
create index einvoice_newest on einvoice (created_at desc, id desc);
create index einvoice_of_organization on einvoice (organization_id, created_at desc, id desc);
create index einvoice_of_bill on einvoice (bill_id, id);
create index einvoice_of_number on einvoice (number) where number is not null;
create index einvoice_of_track on einvoice (track_id, number) where track_id is not null;
create index einvoice_to_do on einvoice (next_at) where next_at is not null;
create index einvoice_to_number on einvoice (id) where state = 'pending';
create index einvoice_not_there on einvoice (due_at) where uploaded_at is null and due_at is not null;

create table einvoice_allowance (
  id text primary key,
  einvoice_id text not null references einvoice,
  bill_id text not null references bill,
  organization_id text not null references organization,
  state text not null check (state in ('pending', 'sent', 'failed', 'dropped')),
  -- The credit note, or 'void' for the bill's void and 'undone' for an invoice that is replaced.
  source text not null,
  number text,
  made_at timestamptz not null,
  document jsonb not null,
  net_minor bigint not null check (net_minor >= 0),
  tax_minor bigint not null check (tax_minor >= 0),
  total_minor bigint not null check (total_minor > 0),
  sent_at timestamptz,
  void_reason text,
  void_asked_at timestamptz,
  voided_at timestamptz,
  attempts integer not null default 0,
  next_at timestamptz,
  busy_until timestamptz,
  is_unsure boolean not null default false,
  error_code text,
  error_words text,
  check (total_minor = net_minor + tax_minor),
  check (sent_at is null or number is not null)
);
create index einvoice_allowance_of_einvoice on einvoice_allowance (einvoice_id, id);
create index einvoice_allowance_of_bill on einvoice_allowance (bill_id, id);
create index einvoice_allowance_to_do on einvoice_allowance (next_at) where next_at is not null;
create unique index einvoice_allowance_number_once on einvoice_allowance (number) where number is not null;

create table einvoice_attempt (
  id bigint generated always as identity primary key,
  einvoice_id text not null references einvoice,
  allowance_id text references einvoice_allowance,
  at timestamptz not null,
  action text not null,
  outcome text not null,
  code text not null,
  words text not null
);
create index einvoice_attempt_of on einvoice_attempt (einvoice_id, id);
create trigger einvoice_attempt_fixed before update or delete on einvoice_attempt for each row execute function refuse_change();

-- What was sent stays as it was sent; a number stays where it is.
create function refuse_einvoice_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'an invoice is never deleted' using errcode = '23001';
  end if;
  if (old.number is not null and (new.number, new.period, new.issued_at, new.random_code) is distinct from (old.number, old.period, old.issued_at, old.random_code))
    or (old.bill_id, old.net_minor, old.tax_minor) is distinct from (new.bill_id, new.net_minor, new.tax_minor)
    or (old.sent_at is not null and (new.document, new.sent_at) is distinct from (old.document, old.sent_at))
    or (old.voided_at is not null and new.voided_at is distinct from old.voided_at) then
    raise exception 'what an invoice says is never changed' using errcode = '23001';
  end if;
  return new;
end $$;
create trigger einvoice_kept before update or delete on einvoice for each row execute function refuse_einvoice_change();

create function refuse_allowance_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'an allowance is never deleted' using errcode = '23001';
  end if;
  if (old.einvoice_id, old.net_minor, old.tax_minor, old.document) is distinct from (new.einvoice_id, new.net_minor, new.tax_minor, new.document)
    or (old.number is not null and new.number is distinct from old.number) then
    raise exception 'what an allowance says is never changed' using errcode = '23001';
  end if;
  return new;
end $$;
create trigger einvoice_allowance_kept before update or delete on einvoice_allowance for each row execute function refuse_allowance_change();
