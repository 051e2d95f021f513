-- Bank statements: rows that count once however often they are uploaded, what they are taken for, and who pays for whom.

create table bank_statement (
  id text primary key,
  account text not null,
  currency char(3) not null,
  file_name text not null,
  encoding text not null,
  rows_total integer not null,
  rows_new integer not null,
  rows_known integer not null,
  refused_total integer not null,
  -- The lines that could not be read, each with its reason; the first thousand.
  refused jsonb not null,
  first_day date,
  last_day date,
  -- As the file says them, when it has balances that follow from each other.
  opening_minor bigint,
  closing_minor bigint,
  is_chain_whole boolean,
  uploaded_at timestamptz not null,
  uploaded_by text not null
);
create index bank_statement_newest on bank_statement (uploaded_at desc, id desc);
create index bank_statement_of_account on bank_statement (account, currency, last_day desc);

-- What an Admin said of the columns of files with the same header.
create table bank_mapping (
  header_hash text primary key,
  mapping jsonb not null,
  account text not null,
  currency char(3) not null,
  used_at timestamptz not null
);

create table bank_row (
  id text primary key,
  statement_id text not null references bank_statement,
  account text not null,
  currency char(3) not null,
  day date not null,
  -- In is positive, out is negative.
  amount_minor bigint not null check (amount_minor <> 0),
  -- Description and reference as one: with account, day, amount and `ordinal` they are the row's identity.
  words text not null,
  -- Which of the equal ones of that day.
  ordinal integer not null,
  payer_name text not null,
  payer_account text not null,
  balance_minor bigint,
  line integer not null,
  state text not null check (state in ('open', 'matched', 'applied', 'ignored')),
  certainty text check (certainty in ('certain', 'likely', 'possible')),
  reason text,
  target_kind text check (target_kind in ('transfer', 'bill', 'balance', 'refund')),
  target_id text,
  ignored_reason text,
  decided_at timestamptz,
  decided_by text,
  check ((state = 'matched') = (target_id is not null)),
  check ((state = 'matched') = (certainty is not null)),
  check ((state = 'ignored') = (ignored_reason is not null))
);
create unique index bank_row_once on bank_row (account, currency, day, amount_minor, md5(words), ordinal);
create index bank_row_newest on bank_row (day desc, id desc);
create index bank_row_waiting on bank_row (currency, id) where state in ('open', 'matched');
create index bank_row_of_state on bank_row (state, day desc, id desc);
create index bank_row_of_statement on bank_row (statement_id);

-- What a row was booked as: one for each part of it, each with one payment or refund.
create table bank_application (
  id text primary key,
  row_id text not null references bank_row,
  part integer not null,
  kind text not null check (kind in ('transfer', 'bill', 'balance', 'refund')),
  organization_id text not null references organization,
  payment_id text references payment,
  refund_id text references payment_refund,
  amount_minor bigint not null check (amount_minor <> 0),
  applied_at timestamptz not null,
  applied_by text not null,
  undone_at timestamptz,
  undone_by text,
  undone_reason text,
  check ((kind = 'refund') = (refund_id is not null)),
  check ((kind = 'refund') = (payment_id is null))
);
create unique index bank_application_once on bank_application (row_id, part) where undone_at is null;
create unique index bank_application_of_payment on bank_application (payment_id) where payment_id is not null;
create unique index bank_application_of_refund on bank_application (refund_id) where refund_id is not null and undone_at is null;

-- Who paid for which organization before.
create table bank_payer (
  key text not null,
  organization_id text not null references organization,
  times integer not null,
  used_at timestamptz not null,
  primary key (key, organization_id)
);
