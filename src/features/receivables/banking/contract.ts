// Banking: bank statements, what their rows are matched to, and how they are booked.
import * as z from 'zod/mini';
import { contract, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  acceptedMoney,
  currency,
  day,
  id,
  instant,
  moneyShape,
  optionalText,
  pageOf,
  pageQuery,
  queryInteger,
  text,
} from '#kernel/shape.ts';

/** The meanings of a statement's columns. */
export const bankFields = [
  'day',
  'description',
  'reference',
  'credit',
  'debit',
  'amount',
  'balance',
  'payerName',
  'payerAccount',
] as const;
export type BankField = (typeof bankFields)[number];
export const rowStates = ['open', 'matched', 'applied', 'ignored'] as const;
export const certainties = ['certain', 'likely', 'possible'] as const;
/** The reason for a match. */
export const matchReasons = [
  'reference',
  'reference_amount_differs',
  'bill_number',
  'bill_number_amount_differs',
  'payer_amount',
  'name_amount',
  'amount',
  'refund',
] as const;
export const targetKinds = ['transfer', 'bill', 'consolidated', 'balance', 'refund'] as const;
/** Why a line of a file is not a valid row. */
export const lineMistakes = [
  'banking.line_columns',
  'banking.line_day',
  'banking.line_amount',
  'banking.line_no_amount',
  'banking.line_both',
  'banking.line_balance',
  'banking.line_long',
] as const;

const column = z.optional(z.int().check(z.minimum(0), z.maximum(199)));
/** The columns' meanings, zero-based; `headerLine` is the header's line number, 1-based. */
export const Mapping = z.strictObject({
  headerLine: z.int().check(z.minimum(1), z.maximum(50)),
  day: z.int().check(z.minimum(0), z.maximum(199)),
  description: column,
  reference: column,
  credit: column,
  debit: column,
  amount: column,
  balance: column,
  payerName: column,
  payerAccount: column,
});
export type Mapping = z.output<typeof Mapping>;
const mappingText = z.codec(z.string().check(z.maxLength(600)), Mapping, {
  decode: (wire, context) => {
    try {
      return JSON.parse(wire) as Mapping;
    } catch {
      context.issues.push({ code: 'custom', input: wire, message: 'mapping' });
      return z.NEVER;
    }
  },
  encode: (mapping) => JSON.stringify(mapping),
});

export const Inspection = z.strictObject({
  encoding: z.enum(['utf-8', 'big5']),
  header: z.array(z.string()),
  sample: z.array(z.array(z.string())),
  rows: z.int(),
  /** The mapping stored for such files, or a guess from the header's names; null if no header was found. */
  mapping: z.nullable(Mapping),
  isRemembered: z.boolean(),
  account: z.nullable(z.string()),
  currency,
});
export type Inspection = z.output<typeof Inspection>;

export const BadLine = z.strictObject({ line: z.int(), code: z.enum(lineMistakes), message: z.string() });
export const Statement = z.strictObject({
  id: id('bst'),
  account: z.string(),
  currency,
  fileName: z.string(),
  uploadedAt: instant,
  rows: z.int(),
  fresh: z.int(),
  known: z.int(),
  refusedTotal: z.int(),
  refused: z.array(BadLine),
  firstDay: z.nullable(day),
  lastDay: z.nullable(day),
  opening: z.nullable(moneyShape),
  closing: z.nullable(moneyShape),
  /** Whether each balance in the file follows from the previous one; null without balances. */
  isChainWhole: z.nullable(z.boolean()),
});
export type Statement = z.output<typeof Statement>;

export const BankTarget = z.strictObject({
  kind: z.enum(targetKinds),
  id: z.string(),
  organizationId: id('org'),
  organization: z.string(),
  /** The transfer's reference or the bill's number. */
  name: z.string(),
  billNumber: z.nullable(z.string()),
  /** The expected amount, or the amount due; null for a balance. */
  amount: z.nullable(moneyShape),
});
export type BankTarget = z.output<typeof BankTarget>;

export const BankRow = z.strictObject({
  id: id('bkr'),
  account: z.string(),
  day,
  amount: moneyShape,
  words: z.string(),
  payerName: z.string(),
  payerAccount: z.string(),
  balance: z.nullable(moneyShape),
  line: z.int(),
  statementId: id('bst'),
  fileName: z.string(),
  state: z.enum(rowStates),
  certainty: z.nullable(z.enum(certainties)),
  reason: z.nullable(z.enum(matchReasons)),
  target: z.nullable(BankTarget),
  ignoredReason: z.nullable(z.string()),
  decidedAt: z.nullable(instant),
  applied: z.array(
    z.strictObject({
      kind: z.enum(targetKinds),
      paymentId: z.nullable(id('pay')),
      refundId: z.nullable(id('rfd')),
      organization: z.string(),
      billNumber: z.nullable(z.string()),
      amount: moneyShape,
      toBill: z.nullable(moneyShape),
    }),
  ),
});
export type BankRow = z.output<typeof BankRow>;

const Part = z.strictObject({ kind: z.enum(targetKinds), id: text(40), amount: acceptedMoney });
/**
 * The bank's movement compared with the ledger's in one currency. `difference` is what the four values before
 * it do not explain.
 */
export const BankLine = z.strictObject({
  currency,
  statement: moneyShape,
  booked: moneyShape,
  open: moneyShape,
  ignored: moneyShape,
  notOnStatement: moneyShape,
  refundsNotOnStatement: moneyShape,
  difference: moneyShape,
  closings: z.array(z.strictObject({ account: z.string(), day, balance: moneyShape })),
});
export type BankLine = z.output<typeof BankLine>;
export const BankOverview = z.strictObject({
  asOf: instant,
  late: z.strictObject({
    total: z.int(),
    items: z.array(
      z.strictObject({
        paymentId: id('pay'),
        organization: z.string(),
        reference: z.string(),
        amount: moneyShape,
        createdAt: instant,
      }),
    ),
  }),
  open: z.int(),
  matched: z.int(),
  /**
   * Exactly what accepting all certain rows would book, by currency, with incoming and outgoing money
   * separate; at most 500 at once.
   */
  certain: z.array(z.strictObject({ count: z.int(), total: moneyShape, rowIds: z.array(id('bkr')) })),
  lines: z.array(BankLine),
  accounts: z.array(z.string()),
});
export type BankOverview = z.output<typeof BankOverview>;

const admin = { roles: ['Admin'] } as const;
const csv = { types: ['text/csv'], maxBytes: 8 * 1024 * 1024 } as const;
const oneRow = z.strictObject({ rowId: id('bkr') });

export const banking = contract({
  inspectStatement: route({
    method: 'POST',
    path: '/admin/bank-statements/inspect',
    access: admin,
    raw: csv,
    atOnce: 2,
    summary: 'Inspect a bank statement',
    description: 'Reads its header and returns what each column is, as remembered or guessed.',
    input: z.strictObject({}),
    output: Inspection,
  }),
  uploadStatement: route({
    method: 'POST',
    path: '/admin/bank-statements',
    access: admin,
    raw: csv,
    atOnce: 1,
    status: 201,
    summary: 'Upload a bank statement',
    description: 'Rows that are already there aren’t counted again. Matches are suggested for each row.',
    input: z.strictObject({
      fileName: z.optional(optionalText(120)),
      account: text(60),
      currency,
      mapping: mappingText,
    }),
    output: Statement,
  }),
  listStatements: route({
    method: 'GET',
    path: '/admin/bank-statements',
    access: admin,
    summary: 'List bank statements',
    input: z.strictObject(pageQuery),
    output: pageOf(Statement),
  }),
  bankOverview: route({
    method: 'GET',
    path: '/admin/bank-statements/overview',
    access: admin,
    summary: 'Get the bank overview',
    description:
      'What’s expected but hasn’t arrived, what arrived but is unmatched, and the bank’s movement next to the ledger’s.',
    input: z.strictObject({ days: z.optional(queryInteger(0, 90)) }),
    output: BankOverview,
  }),
  matchRows: route({
    method: 'POST',
    path: '/admin/bank-rows/match',
    access: admin,
    atOnce: 1,
    summary: 'Match transactions again',
    description: 'Suggests matches for the unmatched ones.',
    input: z.strictObject({}),
    output: z.strictObject({ matched: z.int(), open: z.int() }),
  }),
  listRows: route({
    method: 'GET',
    path: '/admin/bank-rows',
    access: admin,
    summary: 'List bank transactions',
    description: 'The rows of bank statements.',
    input: z.strictObject({
      ...pageQuery,
      state: z.optional(z.enum(rowStates)),
      certainty: z.optional(z.enum(certainties)),
      account: z.optional(text(60)),
      statementId: z.optional(id('bst')),
    }),
    output: pageOf(BankRow),
  }),
  getRow: route({
    method: 'GET',
    path: '/admin/bank-rows/:rowId',
    access: admin,
    summary: 'Get a bank transaction',
    input: oneRow,
    output: BankRow,
  }),
  findTargets: route({
    method: 'GET',
    path: '/admin/bank-rows/:rowId/targets',
    access: admin,
    summary: 'Find matches for a transaction',
    description: 'Announced transfers, open bills, and balances, or refunds for outgoing money.',
    input: z.strictObject({ rowId: id('bkr'), q: z.optional(optionalText(200)) }),
    output: z.strictObject({ items: z.array(BankTarget) }),
  }),
  applyRow: route({
    method: 'POST',
    path: '/admin/bank-rows/:rowId/apply',
    access: admin,
    idempotent: true,
    summary: 'Book a transaction',
    description:
      'In full or split: transfers and bills up to what’s due, the rest to the balance. It can be booked once.',
    input: z.strictObject({ rowId: id('bkr'), parts: z.array(Part).check(z.minLength(1), z.maxLength(50)) }),
    output: BankRow,
  }),
  applyCertain: route({
    method: 'POST',
    path: '/admin/bank-rows/apply',
    access: admin,
    idempotent: true,
    atOnce: 1,
    summary: 'Book certain matches',
    description:
      'Books rows as suggested, each in its own transaction, if all are certain and add up to the given total. A row that’s no longer certain is left out.',
    input: z.strictObject({
      rowIds: z.array(id('bkr')).check(z.minLength(1), z.maxLength(500)),
      total: moneyShape,
    }),
    output: z.strictObject({ applied: z.int(), amount: moneyShape, leftOut: z.int() }),
  }),
  ignoreRow: route({
    method: 'POST',
    path: '/admin/bank-rows/:rowId/ignore',
    access: admin,
    summary: 'Ignore a transaction',
    description: 'With the reason why it doesn’t belong in the console.',
    input: z.strictObject({ rowId: id('bkr'), reason: text(200) }),
    output: BankRow,
  }),
  reopenRow: route({
    method: 'POST',
    path: '/admin/bank-rows/:rowId/reopen',
    access: admin,
    summary: 'Restore an ignored transaction',
    input: oneRow,
    output: BankRow,
  }),
  undoRow: route({
    method: 'POST',
    path: '/admin/bank-rows/:rowId/undo',
    access: admin,
    idempotent: true,
    fresh: true,
    summary: 'Reverse a booked transaction',
    description:
      'Corrects a wrong booking as long as its money is in the balance. Bills that it paid stay paid.',
    input: z.strictObject({ rowId: id('bkr'), reason: text(200) }),
    output: BankRow,
  }),
});

export const bankingErrors = {
  'banking.encoding_unknown': 422,
  'banking.unreadable': 422,
  'banking.empty': 422,
  'banking.too_many_rows': 422,
  'banking.mapping_wrong': 422,
  'banking.row_not_found': 404,
  'banking.row_applied': 409,
  'banking.row_ignored': 409,
  'banking.row_not_applied': 409,
  'banking.row_not_ignored': 409,
  'banking.parts_differ': 422,
  'banking.part_wrong_way': 422,
  'banking.target_gone': 409,
  'banking.batch_changed': 409,
} as const satisfies ErrorTable;
