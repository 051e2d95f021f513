-- A ledger account's balance is a sum over all that ever moved it, and those of revenue, tax and cash are sums over all
-- organizations: it has no bound, as each amount has. A balance beyond a bigint would refuse everybody's next bill.

alter table ledger_account alter column balance_minor type numeric;

create or replace function take_ledger_entries() returns trigger language plpgsql as $$
begin
  if exists (select from added join ledger_transaction t on t.id = added.transaction_id where t.written_in <> pg_current_xact_id()) then
    raise exception 'a ledger transaction is complete once it is written; correct it with a new one' using errcode = 'restrict_violation';
  end if;
  if exists (select from added join ledger_account a on a.id = added.account_id where a.currency <> added.currency) then
    raise exception 'a ledger entry has its account''s currency' using errcode = 'check_violation';
  end if;
  update ledger_account a set balance_minor = balance_minor + moved.amount
    from (select account_id, sum(amount_minor) as amount from added group by account_id order by account_id) moved
    where a.id = moved.account_id;
  return null;
end $$;
