// Journals for an accounting program: the customer's chart of accounts, exports of a day or a month, and their files.
import * as z from 'zod/mini';
import { contract, file, noInput, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  currency,
  day,
  exactDecimal,
  id,
  instant,
  moneyShape,
  month,
  optionalText,
  pageOf,
  pageQuery,
  queryInteger,
  text,
  unsignedDecimal,
} from '#kernel/shape.ts';
import { accountKinds, transactionKinds } from '#features/invoicing/ledger/contract.ts';

export const accountingPaths = { journals: '/admin/accounting' } as const;

/** The console's own columns, and the formats of accounting programs. */
export const journalFormats = ['csv', 'xero', 'quickbooks', 'dingxin', 'winton'] as const;
export type JournalFormat = (typeof journalFormats)[number];
export const encodings = ['utf-8', 'big5'] as const;
export type Encoding = (typeof encodings)[number];

const target = {
  /** The account's number in the accounting program. */
  code: z.string(),
  name: z.string(),
  /** Department, class or cost center; empty: none. */
  department: z.string(),
  /** The name of a tax rate in Xero; empty: the default one. */
  taxName: z.string(),
};
const part = {
  accountKind: z.enum(accountKinds),
  /** Null: all currencies. */
  currency: z.nullable(currency),
  /** In percent; only for the tax account. Null: all rates. */
  taxRate: z.nullable(exactDecimal),
  /** Only for the revenue account; null: all services. */
  service: z.nullable(z.strictObject({ id: id('svc'), name: z.string() })),
};
export const Mapping = z.strictObject({ id: id('jmp'), ...part, ...target });
export type Mapping = z.output<typeof Mapping>;

/** An account of the ledger, or a part of one, that has entries but no account in the accounting program. */
export const Unmapped = z.strictObject(part);
export type Unmapped = z.output<typeof Unmapped>;

export const AccountingSettings = z.strictObject({
  /** The tax rate in Xero for lines without one. */
  xeroTaxRate: z.string(),
  /** The tracking category in Xero whose options are the departments. */
  xeroTracking: z.string(),
  /** The voucher type (傳票單別) in 鼎新. */
  voucherType: z.string(),
});
export type AccountingSettings = z.output<typeof AccountingSettings>;

const sides = { debit: z.nullable(moneyShape), credit: z.nullable(moneyShape) };
export const JournalLine = z.strictObject({
  accountKind: z.enum(accountKinds),
  ...target,
  summary: z.string(),
  ...sides,
});
export type JournalLine = z.output<typeof JournalLine>;
export const Voucher = z.strictObject({
  /** Null in a preview: assigned when it is exported. */
  number: z.nullable(z.string()),
  day,
  kind: z.enum(transactionKinds),
  currency,
  summary: z.string(),
  transactions: z.int(),
  total: moneyShape,
  lines: z.array(JournalLine),
});
export type Voucher = z.output<typeof Voucher>;

/** An account of the accounting program with its totals. */
export const AccountSum = z.strictObject({
  code: z.string(),
  name: z.string(),
  department: z.string(),
  debit: moneyShape,
  credit: moneyShape,
});
export type AccountSum = z.output<typeof AccountSum>;
const totals = z.array(z.strictObject({ currency, debit: moneyShape, credit: moneyShape }));

/**
 * The reconciliation of a ledger account over a period: exported plus waiting amounts equal its movement.
 * Debits are positive.
 */
export const LedgerProof = z.strictObject({
  accountKind: z.enum(accountKinds),
  exported: moneyShape,
  waiting: moneyShape,
  ledger: moneyShape,
  isEqual: z.boolean(),
});
export type LedgerProof = z.output<typeof LedgerProof>;

export const JournalPreview = z.strictObject({
  /** Whether the period has ended, so that it can be exported. */
  isOver: z.boolean(),
  /** The number of earlier exports of days or the month within the period. */
  earlier: z.int(),
  transactions: z.int(),
  /** The number of the period's transactions that earlier exports contain. */
  exportedTransactions: z.int(),
  unmapped: z.array(Unmapped),
  totals,
  accounts: z.array(AccountSum),
  vouchers: z.int(),
  lines: z.int(),
  /** The first vouchers. */
  shown: z.array(Voucher),
  /** Characters that Big5 cannot encode. */
  notInBig5: z.array(z.string()),
  proof: z.array(LedgerProof),
});
export type JournalPreview = z.output<typeof JournalPreview>;

const period = z.union([month, day]);
const person = z.strictObject({ name: z.string(), at: instant });
export const JournalExport = z.strictObject({
  id: id('jex'),
  period: z.string(),
  /**
   * Above one: an export of transactions that were booked after the first export of the period, or whose
   * export was withdrawn.
   */
  sequence: z.int(),
  vouchers: z.int(),
  lines: z.int(),
  transactions: z.int(),
  digest: z.string(),
  made: person,
  withdrawn: z.nullable(z.strictObject({ name: z.string(), at: instant, reason: z.string() })),
});
export type JournalExport = z.output<typeof JournalExport>;

export const JournalFile = z.strictObject({
  id: id('jfl'),
  format: z.enum(journalFormats),
  encoding: z.enum(encodings),
  /** Null: all currencies. */
  currency: z.nullable(currency),
  part: z.int(),
  digest: z.string(),
  bytes: z.int(),
  taken: person,
});
export type JournalFile = z.output<typeof JournalFile>;

export const JournalDetail = z.extend(JournalExport, {
  totals,
  accounts: z.array(AccountSum),
  /** The number of files for Xero, which accepts a few hundred lines at once; by currency. */
  xeroParts: z.array(z.strictObject({ currency, parts: z.int() })),
  notInBig5: z.array(z.string()),
  shown: z.array(Voucher),
  /** Downloaded files, newest first. */
  files: z.array(JournalFile),
});
export type JournalDetail = z.output<typeof JournalDetail>;

const admin = { roles: ['Admin'] } as const;
const oneExport = { exportId: id('jex') };

export const accounting = contract({
  listMappings: route({
    method: 'GET',
    path: '/admin/accounting/mappings',
    access: admin,
    isBatchable: true,
    summary: 'List account mappings',
    description: 'The ledger’s accounts, with what each is called in the accounting software.',
    input: noInput,
    output: z.strictObject({
      items: z.array(Mapping),
      /** Accounts that have entries and are not mapped as a whole. */
      unmapped: z.array(z.enum(accountKinds)),
      /** The values by which accounts can be split. */
      currencies: z.array(currency),
      taxRates: z.array(exactDecimal),
      services: z.array(z.strictObject({ id: id('svc'), name: z.string() })),
    }),
  }),
  saveMapping: route({
    method: 'PUT',
    path: '/admin/accounting/mappings',
    access: admin,
    summary: 'Map an account',
    description:
      'What an account of the ledger, or the part of it for one currency, tax rate, or service, is called. Existing exports stay as they are.',
    input: z.strictObject({
      accountKind: z.enum(accountKinds),
      currency: z.nullable(currency),
      taxRate: z.nullable(unsignedDecimal),
      serviceId: z.nullable(id('svc')),
      code: text(20),
      name: text(60),
      department: optionalText(20),
      taxName: optionalText(50),
    }),
    output: Mapping,
  }),
  removeMapping: route({
    method: 'DELETE',
    path: '/admin/accounting/mappings/:mappingId',
    access: admin,
    summary: 'Remove an account mapping',
    input: z.strictObject({ mappingId: id('jmp') }),
    output: nothing,
  }),
  getAccountingSettings: route({
    method: 'GET',
    path: '/admin/accounting/settings',
    access: admin,
    isBatchable: true,
    summary: 'Get accounting settings',
    description: 'What else files for accounting software need.',
    input: noInput,
    output: AccountingSettings,
  }),
  saveAccountingSettings: route({
    method: 'PUT',
    path: '/admin/accounting/settings',
    access: admin,
    summary: 'Update accounting settings',
    description: 'For exports created from then on.',
    input: z.strictObject({
      xeroTaxRate: text(50),
      xeroTracking: optionalText(50),
      voucherType: optionalText(4),
    }),
    output: AccountingSettings,
  }),
  previewJournal: route({
    method: 'GET',
    path: '/admin/accounting/preview',
    access: admin,
    atOnce: 2,
    summary: 'Preview a journal export',
    description:
      'What an export of a day or month would contain now, which accounts aren’t mapped yet, and that exported and unexported entries add up to the ledger.',
    input: z.strictObject({ period }),
    output: JournalPreview,
  }),
  makeJournal: route({
    method: 'POST',
    path: '/admin/accounting/exports',
    access: admin,
    status: 201,
    idempotent: true,
    atOnce: 2,
    summary: 'Create a journal export',
    description:
      'Exports everything of a past day or month that no export has yet, as vouchers with their own numbers. It never changes afterwards.',
    input: z.strictObject({ period }),
    output: JournalExport,
  }),
  listJournals: route({
    method: 'GET',
    path: '/admin/accounting/exports',
    access: admin,
    isBatchable: true,
    summary: 'List journal exports',
    description: 'Newest first.',
    input: z.strictObject({ ...pageQuery }),
    output: pageOf(JournalExport),
  }),
  getJournal: route({
    method: 'GET',
    path: '/admin/accounting/exports/:exportId',
    access: admin,
    summary: 'Get a journal export',
    description: 'Its totals, its first vouchers, and who downloaded which file.',
    input: z.strictObject(oneExport),
    output: JournalDetail,
  }),
  withdrawJournal: route({
    method: 'POST',
    path: '/admin/accounting/exports/:exportId/withdraw',
    access: admin,
    summary: 'Withdraw a journal export',
    description:
      'Its entries can be exported again. Its vouchers and files are kept, and their numbers aren’t reused.',
    input: z.strictObject({ ...oneExport, reason: text(200) }),
    output: JournalExport,
  }),
  downloadJournal: route({
    method: 'GET',
    path: '/admin/accounting/exports/:exportId/file',
    access: admin,
    atOnce: 2,
    summary: 'Download a journal export',
    description: 'A file for accounting software. Every download is identical to the last byte.',
    input: z.strictObject({
      ...oneExport,
      format: z.enum(journalFormats),
      encoding: z.optional(z.enum(encodings)),
      currency: z.optional(currency),
      part: z.optional(queryInteger(1, 10_000)),
    }),
    output: file,
  }),
});

export const accountingErrors = {
  'accounting.mapping_not_found': 404,
  'accounting.not_found': 404,
  'accounting.part_not_found': 404,
  'accounting.period_not_over': 409,
  'accounting.nothing_to_export': 409,
  'accounting.unmapped': 409,
  'accounting.withdrawn_already': 409,
  'accounting.service_not_found': 400,
  'accounting.only_tax_has_rates': 400,
  'accounting.only_revenue_has_services': 400,
  'accounting.one_currency_needed': 422,
  'accounting.not_in_big5': 422,
  'accounting.big5_not_offered': 422,
  'accounting.voucher_too_long': 422,
} as const satisfies ErrorTable;
