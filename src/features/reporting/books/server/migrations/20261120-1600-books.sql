-- How many transactions and accounts the ledger has, counted as they are written; and the runs of the independent checker.

-- Neither is ever changed in what it is counted by, or removed: only what is added counts.
create trigger ledger_transaction_counted_in after insert on ledger_transaction referencing new table as added for each statement execute function count_rows('kind', 'kind');
insert into row_count (relation, key1, key2, shard, count)
  select 'ledger_transaction', coalesce(k1, ''), coalesce(k2, ''), 0, count(*) from (select kind as k1, kind as k2 from ledger_transaction) as counted group by grouping sets ((), (k1), (k2), (k1, k2)) having count(*) > 0;
create trigger ledger_account_counted_in after insert on ledger_account referencing new table as added for each statement execute function count_rows('kind', 'currency');
insert into row_count (relation, key1, key2, shard, count)
  select 'ledger_account', coalesce(k1, ''), coalesce(k2, ''), 0, count(*) from (select kind as k1, currency::text as k2 from ledger_account) as counted group by grouping sets ((), (k1), (k2), (k1, k2)) having count(*) > 0;

create table books_check (
  id text primary key,
  -- Null: all books.
  organization_id text references organization,
  state text not null check (state in ('waiting', 'running', 'passed', 'warned', 'failed', 'broken')),
  asked_at timestamptz not null,
  asked_by text not null,
  -- When it last said something: one that has been silent for long is not running any more.
  heard_at timestamptz not null,
  finished_at timestamptz,
  expected jsonb not null default '[]',
  checks jsonb not null default '[]',
  problem text
);
-- One at a time.
create unique index books_check_running on books_check (coalesce(organization_id, '')) where state in ('waiting', 'running');
create index books_check_newest on books_check (coalesce(organization_id, ''), id desc);
