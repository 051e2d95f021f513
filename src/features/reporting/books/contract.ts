// The books for reading: trial balance, accounts, statements, and runs of the independent checker.
import * as z from 'zod/mini';
import { contract, file, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { currency, day, id, instant, language, moneyShape, month, pageOf, pageQuery } from '#kernel/shape.ts';
import { accountKinds, transactionKinds } from '#features/invoicing/ledger/contract.ts';

/** The origin of a transaction. For a payment of a bill, also that bill. */
export const Reference = z.strictObject({
  id: z.string(),
  billId: z.nullable(id('bil')),
  billNumber: z.nullable(z.string()),
  billMonth: z.nullable(month),
});
export type Reference = z.output<typeof Reference>;

const side = { debit: z.nullable(moneyShape), credit: z.nullable(moneyShape) };
const owner = {
  accountId: z.string(),
  accountKind: z.enum(accountKinds),
  organizationId: z.nullable(id('org')),
  organization: z.nullable(z.string()),
};
const happening = {
  transactionId: id('ltx'),
  kind: z.enum(transactionKinds),
  at: instant,
  reference: Reference,
};

/** A transaction with all its entries: debits equal credits. */
export const Transaction = z.strictObject({
  ...happening,
  entries: z.array(z.strictObject({ ...owner, ...side })),
});
export type Transaction = z.output<typeof Transaction>;

/** An account and its balance, on the debit or the credit side. */
export const Account = z.strictObject({ ...owner, currency, ...side });
export type Account = z.output<typeof Account>;

/**
 * An entry in its account's statement. `after` is the balance, signed by the account's normal side, so that
 * what is owed, prepaid or earned is positive.
 */
export const StatementLine = z.strictObject({ ...happening, position: z.int(), ...side, after: moneyShape });
export type StatementLine = z.output<typeof StatementLine>;

/**
 * One account over a period. Debits and credits are totals of the whole period, not only of the returned
 * page.
 */
const statementOf = {
  opening: moneyShape,
  debits: moneyShape,
  credits: moneyShape,
  closing: moneyShape,
  items: z.array(StatementLine),
};
export const AccountStatement = z.strictObject({
  account: Account,
  ...statementOf,
  nextCursor: z.nullable(z.string()),
  total: z.int(),
});
/** A customer's two accounts in one currency: what they owe and what they prepaid. */
export const Statement = z.strictObject({
  currency,
  currencies: z.array(currency),
  owed: z.strictObject({ ...statementOf, total: z.int() }),
  prepaid: z.strictObject({ ...statementOf, total: z.int() }),
});
export type Statement = z.output<typeof Statement>;

/** Revenue deferred to later service, in one currency. */
export const DeferredRevenue = z.strictObject({
  currency,
  /** Fees billed in advance, by the month in which they become revenue; earliest first. */
  months: z.array(z.strictObject({ month, amount: moneyShape })),
  /** The sum of the months. */
  fees: moneyShape,
  /** Unused prepaid credit. */
  credit: moneyShape,
  /** `fees` plus `credit`. */
  total: moneyShape,
  /** The balance of the ledger's deferred revenue accounts, which must be equal. */
  ledger: moneyShape,
});
export type DeferredRevenue = z.output<typeof DeferredRevenue>;

export const checkStates = ['waiting', 'running', 'passed', 'warned', 'failed', 'broken'] as const;
const verdicts = ['passed', 'warned', 'failed'] as const;
/** The result of one of the checker's checks. */
export const CheckResult = z.strictObject({
  id: z.string(),
  invariants: z.array(z.string()),
  verdict: z.enum(verdicts),
  examined: z.string(),
  found: z.int(),
  ms: z.int(),
  findings: z.array(
    z.strictObject({ code: z.string(), subject: z.string(), expected: z.string(), actual: z.string() }),
  ),
  notes: z.array(z.strictObject({ code: z.string(), count: z.string() })),
});
export type CheckResult = z.output<typeof CheckResult>;
/**
 * A run of the checker: the results of finished checks, and the ids of all expected ones. `problem`: why the
 * checker could not run.
 */
export const CheckRun = z.strictObject({
  id: id('chk'),
  state: z.enum(checkStates),
  askedAt: instant,
  askedBy: z.string(),
  finishedAt: z.nullable(instant),
  expected: z.array(z.string()),
  checks: z.array(CheckResult),
  problem: z.nullable(z.string()),
});
export type CheckRun = z.output<typeof CheckRun>;
const runs = z.strictObject({ items: z.array(CheckRun) });

const admin = { roles: ['Admin'] } as const;
const member = { roles: ['User', 'ReadOnly'] } as const;
const readable = { roles: ['User', 'ReadOnly'], apiKey: 'read' } as const;
const page = { limit: pageQuery.limit, cursor: pageQuery.cursor };
/** Days, both inclusive. */
const range = { from: z.optional(day), to: z.optional(day) };
const filters = {
  q: pageQuery.q,
  ...range,
  kind: z.optional(z.enum(transactionKinds)),
  accountKind: z.optional(z.enum(accountKinds)),
  organizationId: z.optional(id('org')),
};
const accountId = z.string().check(z.regex(/^[a-z_]{1,20}(:org_[0-9a-z]{26})?:[A-Z]{3}$/));
const format = { format: z.enum(['csv', 'xlsx']), language: z.optional(language) };
const nothing = z.strictObject({});

export const books = contract({
  trialBalance: route({
    method: 'GET',
    path: '/admin/ledger/trial-balance',
    access: admin,
    summary: 'Get the trial balance',
    description:
      'The balance of every account type, now or at the end of a day. Debits equal credits in each currency.',
    input: z.strictObject({ asOf: z.optional(day) }),
    output: z.strictObject({
      items: z.array(z.strictObject({ currency, kind: z.enum(accountKinds), ...side })),
    }),
  }),
  listAccounts: route({
    method: 'GET',
    path: '/admin/ledger/accounts',
    access: admin,
    summary: 'List accounts',
    description: 'The ledger’s accounts with their balances.',
    input: z.strictObject({
      ...pageQuery,
      kind: z.optional(z.enum(accountKinds)),
      currency: z.optional(currency),
      organizationId: z.optional(id('org')),
    }),
    output: pageOf(Account),
  }),
  accountStatement: route({
    method: 'GET',
    path: '/admin/ledger/accounts/:accountId/statement',
    access: admin,
    summary: 'Get an account statement',
    description:
      'The opening balance, the entries with the balance after each, and the closing balance of a period.',
    input: z.strictObject({ accountId, ...range, ...page }),
    output: AccountStatement,
  }),
  exportAccount: route({
    method: 'GET',
    path: '/admin/ledger/accounts/:accountId/export',
    access: admin,
    atOnce: 2,
    summary: 'Export an account statement',
    description: 'As CSV or Excel.',
    input: z.strictObject({ accountId, ...range, ...format }),
    output: file,
  }),
  listTransactions: route({
    method: 'GET',
    path: '/admin/ledger',
    access: admin,
    summary: 'List ledger transactions',
    description: 'Includes their entries, newest first.',
    input: z.strictObject({ ...page, ...filters }),
    output: pageOf(Transaction),
  }),
  exportTransactions: route({
    method: 'GET',
    path: '/admin/ledger/export',
    access: admin,
    atOnce: 2,
    summary: 'Export ledger entries',
    description: 'Those that match a filter as CSV or Excel, oldest first.',
    input: z.strictObject({ ...filters, ...format }),
    output: file,
  }),
  deferredRevenue: route({
    method: 'GET',
    path: '/admin/ledger/deferred-revenue',
    access: admin,
    summary: 'Get deferred revenue',
    description: 'Fees billed in advance, by the month in which they become revenue, and prepaid credit.',
    input: nothing,
    output: z.strictObject({ items: z.array(DeferredRevenue) }),
  }),
  exportDeferredRevenue: route({
    method: 'GET',
    path: '/admin/ledger/deferred-revenue/export',
    access: admin,
    atOnce: 2,
    summary: 'Export deferred revenue',
    description:
      'Fees billed in advance, line by line and month by month, with what became revenue when, as CSV or Excel.',
    input: z.strictObject(format),
    output: file,
  }),
  runCheck: route({
    method: 'POST',
    path: '/admin/ledger/checks',
    access: admin,
    status: 202,
    summary: 'Check all books',
    description: 'Starts the independent checker. If it’s already running, that run is returned.',
    input: nothing,
    output: CheckRun,
  }),
  listChecks: route({
    method: 'GET',
    path: '/admin/ledger/checks',
    access: admin,
    summary: 'List checks of all books',
    description: 'Newest first.',
    input: nothing,
    output: runs,
  }),

  statement: route({
    method: 'GET',
    path: '/billing/statement',
    access: readable,
    summary: 'Get your statement of account',
    description: 'What’s due and what’s prepaid in one currency, entry by entry.',
    input: z.strictObject({ ...range, currency: z.optional(currency) }),
    output: Statement,
  }),
  exportStatement: route({
    method: 'GET',
    path: '/billing/statement/export',
    access: readable,
    atOnce: 2,
    summary: 'Export your statement of account',
    description: 'As CSV or Excel.',
    input: z.strictObject({ ...range, currency, ...format }),
    output: file,
  }),
  runOwnCheck: route({
    method: 'POST',
    path: '/billing/checks',
    access: member,
    status: 202,
    summary: 'Check your books',
    description:
      'Starts the independent checker on your organization’s books. If it’s already running, that run is returned.',
    input: nothing,
    output: CheckRun,
  }),
  listOwnChecks: route({
    method: 'GET',
    path: '/billing/checks',
    access: member,
    summary: 'List checks of your books',
    description: 'Newest first.',
    input: nothing,
    output: runs,
  }),
});

export const booksErrors = {
  'books.account_not_found': 404,
  'books.range_reversed': 422,
} as const satisfies ErrorTable;
