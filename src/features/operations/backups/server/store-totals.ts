// Totals of the books that are stored with each backup, so that an Admin can compare a restore with the
// original.
import type { TotalQuery } from '#platform/server/backup/backup-schema.ts';
import type { backupTotals } from '../contract.ts';

/** Compared in addition to every row of every table. Amounts are exact, in minor units. */
export const totalQueries: readonly (TotalQuery & { readonly name: (typeof backupTotals)[number] })[] = [
  {
    name: 'organizations',
    tables: ['organization'],
    query: `select '' as unit, count(*)::text as value from organization`,
  },
  { name: 'users', tables: ['app_user'], query: `select '' as unit, count(*)::text as value from app_user` },
  {
    name: 'events',
    tables: ['usage_key'],
    query: `select '' as unit, count(*)::text as value from usage_key`,
  },
  { name: 'bills', tables: ['bill'], query: `select '' as unit, count(*)::text as value from bill` },
  {
    name: 'billed',
    tables: ['bill'],
    query: `select currency as unit, sum(total_minor)::text as value from bill group by 1 order by 1`,
  },
  {
    name: 'paid',
    tables: ['payment'],
    query: `select currency as unit, sum(received_minor)::text as value from payment where received_minor is not null group by 1 order by 1`,
  },
  {
    name: 'ledger_entries',
    tables: ['ledger_entry'],
    query: `select '' as unit, count(*)::text as value from ledger_entry`,
  },
  {
    name: 'ledger_debits',
    tables: ['ledger_entry'],
    query: `select currency as unit, sum(amount_minor)::text as value from ledger_entry where amount_minor > 0 group by 1 order by 1`,
  },
  {
    name: 'ledger_balance',
    tables: ['ledger_entry'],
    query: `select currency as unit, sum(amount_minor)::text as value from ledger_entry group by 1 order by 1`,
  },
  {
    name: 'receivable',
    tables: ['ledger_account'],
    query: `select currency as unit, sum(balance_minor)::text as value from ledger_account where kind = 'receivable' group by 1 order by 1`,
  },
  {
    name: 'audit_rows',
    tables: ['audit_head'],
    query: `select '' as unit, seq::text as value from audit_head`,
  },
  {
    name: 'audit_chain',
    tables: ['audit_head'],
    query: `select '' as unit, encode(hash, 'hex') as value from audit_head`,
  },
];
