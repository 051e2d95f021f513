// The books' public API: their API calls and the job that runs the checker.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { books, booksErrors } from '../contract.ts';
import { booksCheckJob, listChecks, listOwnChecks, runCheck, runOwnCheck } from './checks.ts';
import { deferredRevenue, exportDeferredRevenue } from './deferred-revenue.ts';
import { exportAccount, exportStatement, exportTransactions } from './exports.ts';
import { accountStatement, listAccounts, listTransactions, trialBalance } from './read.ts';
import { statement } from './statement.ts';

export const booksFeature = feature({
  name: 'books',
  contract: books,
  errors: booksErrors,
  verbs: {
    trialBalance,
    listAccounts,
    accountStatement,
    exportAccount,
    listTransactions,
    exportTransactions,
    deferredRevenue,
    exportDeferredRevenue,
    runCheck,
    listChecks,
    statement,
    exportStatement,
    runOwnCheck,
    listOwnChecks,
  },
  jobs: [booksCheckJob],
});

export { ledgerTable, trialBalanceTable } from './exports.ts';
export { placeOf, referenceTables, sumsByKind } from './store.ts';
