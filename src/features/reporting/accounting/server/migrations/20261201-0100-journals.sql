-- Journals for the accounting program: how accounts of the ledger are named there, and what was exported when.

-- A row holds for an account of the ledger; with a currency, a tax rate or a service only for that part of it. The most exact one counts.
create table journal_mapping (
  id text primary key,
  account_kind text not null,
  currency char(3),
  -- Of the tax account: in percent.
  tax_rate numeric check (tax_rate is null or account_kind = 'tax'),
  -- Of the revenue account.
  service_id text check (service_id is null or account_kind = 'revenue'),
  code text not null,
  name text not null,
  department text not null,
  -- The name of a tax rate in Xero; empty: the usual one.
  tax_name text not null,
  changed_at timestamptz not null,
  changed_by text not null,
  unique nulls not distinct (account_kind, currency, tax_rate, service_id)
);

-- What was exported of a day or a month. The first of a period has sequence 1; what was booked later, or was withdrawn, follows with the next.
create table journal_export (
  id text primary key,
  period text not null,
  sequence integer not null check (sequence > 0),
  first_day date not null,
  last_day date not null,
  time_zone text not null,
  language text not null,
  -- Settings as they were, so that files do not change when settings do.
  settings jsonb not null,
  vouchers integer not null check (vouchers > 0),
  lines integer not null check (lines > 0),
  transactions integer not null check (transactions > 0),
  -- Of all that it says (SHA-256).
  digest text not null,
  made_at timestamptz not null,
  made_by text not null,
  maker_name text not null,
  withdrawn_at timestamptz,
  withdrawn_by text,
  withdrawer_name text,
  withdrawal_reason text,
  unique (period, sequence),
  check (first_day <= last_day),
  check ((withdrawn_at is null) = (withdrawn_by is null) and (withdrawn_at is null) = (withdrawer_name is null) and (withdrawn_at is null) = (withdrawal_reason is null))
);
create index journal_export_newest on journal_export (made_at desc, id desc);

create function keep_journal_export() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - array['withdrawn_at', 'withdrawn_by', 'withdrawer_name', 'withdrawal_reason']) is distinct from (to_jsonb(old) - array['withdrawn_at', 'withdrawn_by', 'withdrawer_name', 'withdrawal_reason'])
    or old.withdrawn_at is not null then
    raise exception 'journal export % is fixed', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger journal_export_fixed before update on journal_export for each row execute function keep_journal_export();
create trigger journal_export_stays before delete on journal_export for each row execute function refuse_change();
create trigger journal_export_kept before truncate on journal_export for each statement execute function refuse_change();

-- Which transactions stand in an export that was not withdrawn: each in one. Without foreign keys: a month has hundreds of thousands of rows, both sides
-- are of the statements that write them, and neither is ever removed.
create table journal_exported (
  transaction_id text primary key,
  export_id text not null
);
create index journal_exported_in on journal_exported (export_id);

-- A day's transactions of one kind and currency.
create table journal_voucher (
  export_id text not null references journal_export,
  position integer not null,
  -- YYYYMMDD and three digits that count the day's vouchers; never given twice.
  number text not null unique,
  day date not null,
  kind text not null,
  currency char(3) not null,
  summary text not null,
  transactions integer not null check (transactions > 0),
  total_minor numeric not null check (total_minor > 0),
  primary key (export_id, position)
);
create index journal_voucher_of_day on journal_voucher (day);
create trigger journal_voucher_fixed before update or delete on journal_voucher for each row execute function refuse_change();
create trigger journal_voucher_kept before truncate on journal_voucher for each statement execute function refuse_change();

create table journal_line (
  export_id text not null,
  voucher integer not null,
  position integer not null,
  -- The account of the ledger, and the part of it where it is split.
  account_kind text not null,
  tax_rate numeric,
  service_id text,
  code text not null,
  name text not null,
  department text not null,
  tax_name text not null,
  summary text not null,
  debit_minor numeric not null check (debit_minor >= 0),
  credit_minor numeric not null check (credit_minor >= 0),
  primary key (export_id, voucher, position),
  foreign key (export_id, voucher) references journal_voucher (export_id, position),
  check ((debit_minor > 0) <> (credit_minor > 0))
);
create trigger journal_line_fixed before update or delete on journal_line for each row execute function refuse_change();
create trigger journal_line_kept before truncate on journal_line for each statement execute function refuse_change();

-- A voucher has as much on one side as on the other, whoever writes it.
create function balance_journal_lines() returns trigger language plpgsql as $$
begin
  if exists (select from added group by export_id, voucher having sum(debit_minor) <> sum(credit_minor))
    or exists (select from added a join journal_voucher v on v.export_id = a.export_id and v.position = a.voucher group by a.export_id, a.voucher, v.total_minor having sum(a.debit_minor) <> v.total_minor) then
    raise exception 'a voucher of a journal does not balance' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger journal_line_balanced after insert on journal_line referencing new table as added for each statement execute function balance_journal_lines();

-- Every file that was taken of an export, with its digest (SHA-256): the same file again has the same one.
create table journal_file (
  id text primary key,
  export_id text not null references journal_export,
  format text not null,
  encoding text not null,
  currency text not null,
  part integer not null,
  digest text not null,
  bytes bigint not null,
  taken_at timestamptz not null,
  taken_by text not null,
  taker_name text not null
);
create index journal_file_of_export on journal_file (export_id, id desc);
create trigger journal_file_fixed before update or delete on journal_file for each row execute function refuse_change();
create trigger journal_file_kept before truncate on journal_file for each statement execute function refuse_change();
