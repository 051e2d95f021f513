-- The ledger: append-only double entry whose transactions each sum to zero, and payments that move it.

create table ledger_account (
  id text primary key,
  kind text not null check (kind in ('receivable', 'balance', 'revenue', 'tax', 'cash')),
  organization_id text references organization,
  currency char(3) not null,
  -- The sum of its entries, kept by the database. Debits are positive, credits negative.
  balance_minor bigint not null default 0,
  check ((kind in ('receivable', 'balance')) = (organization_id is not null))
);
create index ledger_account_of_organization on ledger_account (organization_id);

create table ledger_transaction (
  id text primary key,
  kind text not null check (kind in ('bill', 'top_up', 'payment', 'refund', 'correction')),
  reference text not null,
  at timestamptz not null,
  -- The database transaction that wrote it: entries can be added in no other.
  written_in xid8 not null default pg_current_xact_id(),
  unique (kind, reference)
);

create table ledger_entry (
  transaction_id text not null references ledger_transaction,
  position smallint not null,
  account_id text not null references ledger_account,
  currency char(3) not null,
  amount_minor bigint not null check (amount_minor <> 0),
  primary key (transaction_id, position)
);
create index ledger_entry_of_account on ledger_entry (account_id, transaction_id);

create function check_ledger_transaction() returns trigger language plpgsql as $$
declare
  unbalanced text;
  entries integer;
begin
  select coalesce(sum(number), 0), max(currency) filter (where total <> 0) into entries, unbalanced
    from (select currency, count(*) as number, sum(amount_minor) as total from ledger_entry where transaction_id = new.id group by currency) as by_currency;
  if entries < 2 then
    raise exception 'ledger transaction % has % entries; it needs two or more', new.id, entries using errcode = 'check_violation';
  end if;
  if unbalanced is not null then
    raise exception 'ledger transaction % does not sum to zero in %', new.id, unbalanced using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_transaction_balanced after insert on ledger_transaction
  deferrable initially deferred for each row execute function check_ledger_transaction();

create function take_ledger_entries() returns trigger language plpgsql as $$
begin
  if exists (select from added join ledger_transaction t on t.id = added.transaction_id where t.written_in <> pg_current_xact_id()) then
    raise exception 'a ledger transaction is complete once it is written; correct it with a new one' using errcode = 'restrict_violation';
  end if;
  if exists (select from added join ledger_account a on a.id = added.account_id where a.currency <> added.currency) then
    raise exception 'a ledger entry has its account''s currency' using errcode = 'check_violation';
  end if;
  update ledger_account a set balance_minor = balance_minor + moved.amount
    from (select account_id, sum(amount_minor)::bigint as amount from added group by account_id order by account_id) moved
    where a.id = moved.account_id;
  return null;
end $$;
create trigger ledger_entry_taken after insert on ledger_entry referencing new table as added for each statement execute function take_ledger_entries();

create trigger ledger_transaction_fixed before update or delete on ledger_transaction for each row execute function refuse_change();
create trigger ledger_transaction_kept before truncate on ledger_transaction for each statement execute function refuse_change();
create trigger ledger_entry_fixed before update or delete on ledger_entry for each row execute function refuse_change();
create trigger ledger_entry_kept before truncate on ledger_entry for each statement execute function refuse_change();

create table payment (
  id text primary key,
  organization_id text not null references organization,
  -- Null: a top-up of the balance.
  bill_id text references bill,
  method text not null check (method in ('manual', 'balance')),
  state text not null check (state in ('pending', 'succeeded', 'failed', 'refunded')),
  amount_minor bigint not null check (amount_minor > 0),
  currency char(3) not null,
  note text not null default '',
  created_at timestamptz not null,
  created_by text not null,
  settled_at timestamptz,
  settled_by text,
  check ((state = 'pending') = (settled_at is null))
);
create index payment_newest on payment (created_at desc, id desc);
create index payment_of_organization on payment (organization_id, created_at desc, id desc);
create index payment_newest_of_state on payment (state, created_at desc, id desc);
call count_rows_of('payment', 'state', 'currency');
