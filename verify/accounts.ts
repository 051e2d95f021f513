// Checks of the ledger: every transaction sums to zero, and every account's balance is the sum of its entries
// (I1, I5).
import { byStatement, owned, type Check } from './books.ts';

/** The kinds of accounts that an organization has; the platform has the others. */
const ownKinds = `'receivable', 'balance', 'disputed', 'deferred_revenue', 'promotional_credit'`;
/** What an organization has to spend. */
const prepaidKinds = `'balance', 'deferred_revenue', 'promotional_credit'`;
/** Transactions that touch an account of the organization. */
const ofOrganization = (column: string): string =>
  `($1::text is null or ${column} in (select e.transaction_id from ledger_entry e join ledger_account a on a.id = e.account_id where a.organization_id = $1))`;

const transactionsSumToZero: Check = {
  id: 'ledger-balanced',
  invariants: ['I1'],
  title: 'Every ledger transaction has at least two entries and sums to zero',
  unit: 'transactions',
  isPerOrganization: true,
  run: byStatement(
    () => `select count(*) from ledger_transaction t where ${ofOrganization('t.id')}`,
    () => `
      select 'transaction_unbalanced' as code, transaction_id as subject, '0 ' || currency as expected, sum(amount_minor) || ' ' || currency as actual
        from ledger_entry where ${ofOrganization('transaction_id')} group by transaction_id, currency having sum(amount_minor) <> 0
      union all select 'transaction_short', t.id, '2', count(e.transaction_id)::text from ledger_transaction t left join ledger_entry e on e.transaction_id = t.id where ${ofOrganization('t.id')} group by t.id having count(e.transaction_id) < 2
      union all select 'entry_without_transaction', e.transaction_id || ' ' || e.position, e.transaction_id, '' from ledger_entry e where ${ofOrganization('e.transaction_id')} and not exists (select from ledger_transaction t where t.id = e.transaction_id)
      union all select 'entry_without_account', e.transaction_id || ' ' || e.position, e.account_id, '' from ledger_entry e where $1::text is null and not exists (select from ledger_account a where a.id = e.account_id)
      union all select 'entry_currency', e.transaction_id || ' ' || e.position, a.currency, e.currency from ledger_entry e join ledger_account a on a.id = e.account_id where ${owned('a.organization_id')} and a.currency <> e.currency`,
  ),
};

const balancesAreSumsOfEntries: Check = {
  id: 'account-balances',
  invariants: ['I1', 'I5'],
  title: 'The stored balance of every account equals the sum of its entries',
  unit: 'accounts',
  isPerOrganization: true,
  run: byStatement(
    () => `select count(*) from ledger_account where ${owned('organization_id')}`,
    () => `
      select 'balance_differs' as code, a.id as subject, coalesce(e.minor, 0)::text as expected, a.balance_minor::text as actual
        from ledger_account a left join (select account_id, sum(amount_minor) as minor from ledger_entry group by 1) e on e.account_id = a.id where ${owned('a.organization_id')} and a.balance_minor <> coalesce(e.minor, 0)
      union all select 'account_twice', min(id), '1', count(*)::text from ledger_account where ${owned('organization_id')} group by kind, organization_id, currency having count(*) > 1
      union all select 'account_owner', id, case when kind in (${ownKinds}) then 'an organization' else 'the platform' end, coalesce(organization_id, 'the platform') from ledger_account where ${owned('organization_id')} and (kind in (${ownKinds})) <> (organization_id is not null)`,
  ),
};

const balanceIsNeverBelowZero: Check = {
  id: 'balance-not-below-zero',
  invariants: ['I5'],
  title: 'No prepaid balance or credit is overdrawn',
  unit: 'prepaid and credit accounts',
  isPerOrganization: true,
  run: byStatement(
    () =>
      `select count(*) from ledger_account where kind in (${prepaidKinds}) and ${owned('organization_id')}`,
    // Prepaid money is owed to the customer, so it is a credit; a debit balance means that it is overspent.
    () => `select 'balance_overspent' as code, a.id as subject, '0' as expected, (-sum(e.amount_minor))::text as actual from ledger_account a join ledger_entry e on e.account_id = a.id
        where a.kind in (${prepaidKinds}) and ${owned('a.organization_id')} group by a.id having sum(e.amount_minor) > 0`,
  ),
};

export const accountChecks: readonly Check[] = [
  transactionsSumToZero,
  balancesAreSumsOfEntries,
  balanceIsNeverBelowZero,
];
