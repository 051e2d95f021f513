// E-invoices: Taiwan's statutory invoices (統一發票) for bills, their number tracks, allowances, and the data
// that an accountant files.
import * as z from 'zod/mini';
import { contract, file, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  exactDecimal,
  id,
  instant,
  language,
  moneyShape,
  month,
  optionalText,
  pageOf,
  pageQuery,
  queryFlag,
  text,
} from '#kernel/shape.ts';

/** 應稅, 零稅率, 免稅 of one item. */
export const itemTaxKinds = ['taxable', 'zero_rated', 'exempt'] as const;
export type ItemTaxKind = (typeof itemTaxKinds)[number];
/** Where a consumer stores an e-invoice: 手機條碼, 自然人憑證, or the member carrier of the service. */
export const carrierKinds = ['mobile', 'citizen', 'member'] as const;
/** When a bill's e-invoices are issued: all at once with the bill, or with each payment. */
export const timings = ['on_issue', 'on_payment'] as const;
export type Timing = (typeof timings)[number];
/**
 * `turnkey`: MIG 4.1 files with numbers from the seller's own tracks; the others allocate numbers themselves.
 */
export const eInvoiceProviders = ['turnkey', 'ecpay', 'ezpay'] as const;
export type EInvoiceProviderName = (typeof eInvoiceProviders)[number];

/** 待開立, 已開立, 上傳中, 已上傳, 失敗, 作廢中, 作廢, 折讓; `dropped` was canceled before it reached anyone. */
export const einvoiceStates = [
  'pending',
  'issued',
  'uploading',
  'uploaded',
  'failed',
  'voiding',
  'voided',
  'allowed',
  'dropped',
] as const;
export type EinvoiceState = (typeof einvoiceStates)[number];
export const allowanceStates = ['pending', 'sent', 'failed', 'voiding', 'voided', 'dropped'] as const;
export const buyerKinds = ['company', 'consumer'] as const;
export const attemptActions = ['issue', 'find', 'state', 'void', 'allow', 'void_allowance'] as const;
export const attemptOutcomes = ['done', 'waits', 'refused', 'unsure', 'absent'] as const;
/** Where a consumer's invoice is stored: the seller's member carrier, 手機條碼, 自然人憑證, donated, or printed. */
export const keeps = ['member', 'mobile', 'citizen', 'donate', 'paper'] as const;

const optionalTaxId = z.string().check(z.trim(), z.maxLength(20));
/** Where a consumer's invoice is stored; `code` is the carrier's or the 捐贈碼, otherwise empty. */
export const KeepChoice = z.strictObject({ keep: z.enum(keeps), code: optionalText(64) });
export type KeepChoice = z.output<typeof KeepChoice>;
/** The buyer on a bill's invoices: a company with its 統一編號, or, if that is empty, a consumer. */
export const BuyerChoice = z.strictObject({
  taxId: optionalTaxId,
  name: optionalText(60),
  keep: z.enum(keeps),
  code: optionalText(64),
});
export type BuyerChoice = z.output<typeof BuyerChoice>;

const party = z.strictObject({
  taxId: z.string(),
  name: z.string(),
  address: z.string(),
  email: z.string(),
});
export const EinvoiceItem = z.strictObject({
  description: z.string(),
  quantity: exactDecimal,
  unit: z.string(),
  unitPrice: exactDecimal,
  amount: moneyShape,
  taxKind: z.enum(itemTaxKinds),
});
const sums = { net: moneyShape, tax: moneyShape, total: moneyShape };

export const Allowance = z.strictObject({
  id: id('eal'),
  number: z.nullable(z.string()),
  state: z.enum(allowanceStates),
  einvoiceId: id('ein'),
  einvoiceNumber: z.nullable(z.string()),
  /** The credit note it results from; null if the bill or the invoice was canceled as a whole. */
  creditNoteId: z.nullable(id('crn')),
  creditNoteNumber: z.nullable(z.string()),
  madeAt: instant,
  ...sums,
  errorCode: z.nullable(z.string()),
  errorWords: z.nullable(z.string()),
  /** Whether its outcome is unknown. */
  isUnsure: z.boolean(),
});
export type Allowance = z.output<typeof Allowance>;

/** An invoice in lists. */
export const Einvoice = z.strictObject({
  id: id('ein'),
  number: z.nullable(z.string()),
  state: z.enum(einvoiceStates),
  kind: z.enum(buyerKinds),
  organizationId: id('org'),
  organization: z.string(),
  billId: id('bil'),
  billNumber: z.string(),
  billMonth: month,
  buyerName: z.string(),
  taxId: z.string(),
  createdAt: instant,
  issuedAt: z.nullable(instant),
  /** The deadline for its upload to the Ministry. */
  dueAt: z.nullable(instant),
  uploadedAt: z.nullable(instant),
  ...sums,
  /** The total of its allowances. */
  allowed: moneyShape,
  /** Why it waits or failed: a code of the console (`einvoices.…`) or the provider's, with its message. */
  errorCode: z.nullable(z.string()),
  errorWords: z.nullable(z.string()),
});
export type Einvoice = z.output<typeof Einvoice>;

const document = {
  randomCode: z.nullable(z.string()),
  seller: party,
  buyer: party,
  carrier: z.nullable(z.strictObject({ kind: z.enum(carrierKinds), code: z.string() })),
  donationCode: z.nullable(z.string()),
  isPrinted: z.boolean(),
  items: z.array(EinvoiceItem),
  sales: z.strictObject({ taxable: moneyShape, zero_rated: moneyShape, exempt: moneyShape }),
  taxRate: exactDecimal,
  shownTax: moneyShape,
  voidReason: z.nullable(z.string()),
  voidedAt: z.nullable(instant),
  allowances: z.array(Allowance),
  /**
   * Whether there is a printed proof (電子發票證明聯): not if it is void, donated or in a carrier of the buyer's
   * own.
   */
  hasProof: z.boolean(),
};
export const EinvoiceDocument = z.extend(Einvoice, document);
export type EinvoiceDocument = z.output<typeof EinvoiceDocument>;
export const EinvoiceAttempt = z.strictObject({
  at: instant,
  action: z.enum(attemptActions),
  outcome: z.enum(attemptOutcomes),
  code: z.string(),
  words: z.string(),
  /** The allowance it concerned; null for the invoice itself. */
  allowanceNumber: z.nullable(z.string()),
});
export type EinvoiceAttempt = z.output<typeof EinvoiceAttempt>;
export const EinvoiceDetail = z.extend(EinvoiceDocument, {
  provider: z.nullable(z.enum(eInvoiceProviders)),
  /**
   * Whether the outcome of the last attempt is unknown, so that the provider is queried before anything is
   * sent.
   */
  isUnsure: z.boolean(),
  nextAttemptAt: z.nullable(instant),
  attempts: z.array(EinvoiceAttempt),
  keeps: z.array(z.enum(keeps)),
  /**
   * What an Admin may do now. `void` within its two months; later `undo`, by an allowance for the remainder.
   */
  may: z.strictObject({
    retry: z.boolean(),
    changeBuyer: z.boolean(),
    void: z.boolean(),
    undo: z.boolean(),
    /** Mark it as received by the Ministry, if only Turnkey's operator can see that. */
    markUploaded: z.boolean(),
  }),
});
export type EinvoiceDetail = z.output<typeof EinvoiceDetail>;

/** The invoices of one bill, and their buyer. */
export const BillEinvoices = z.strictObject({
  billId: id('bil'),
  /** Whether e-invoices are issued for this bill at all. */
  isCovered: z.boolean(),
  timing: z.enum(timings),
  buyer: BuyerChoice,
  /** Where a consumer can store them. */
  keeps: z.array(z.enum(keeps)),
  /** Whether the buyer can still be chosen: nothing was sent yet, or more will be issued. */
  canChoose: z.boolean(),
  items: z.array(EinvoiceDocument),
});
export type BillEinvoices = z.output<typeof BillEinvoices>;

export const Track = z.strictObject({
  id: id('etr'),
  /** The first of its two months. */
  period: month,
  letters: z.string(),
  from: z.int(),
  to: z.int(),
  used: z.int(),
  left: z.int(),
  createdAt: instant,
  /** Whether its numbers are used now, later or no longer. */
  stands: z.enum(['past', 'current', 'future']),
  unusedReportedAt: z.nullable(instant),
});
export type Track = z.output<typeof Track>;

const hours = z.int().check(z.minimum(1), z.maximum(240));
const settingFields = {
  provider: z.enum(['none', ...eInvoiceProviders]),
  merchantId: optionalText(20),
  isStage: z.boolean(),
  hasB2b: z.boolean(),
  companies: z.enum(timings),
  consumers: z.enum(timings),
  /**
   * Hours after issue by which the Ministry must have an invoice: by law 48 for consumers, seven days for
   * companies.
   */
  consumerHours: hours,
  companyHours: hours,
  /** How many hours before the deadline operators are notified. */
  warnHours: z.int().check(z.minimum(1), z.maximum(100)),
  /** The percentage of a period's remaining numbers at which operators are notified. */
  lowPercent: z.int().check(z.minimum(1), z.maximum(90)),
};
export const EinvoiceSettings = z.strictObject({
  ...settingFields,
  hasKeys: z.boolean(),
  /** Whether the Ministry’s key for the QR codes of proofs is stored. */
  hasQrKey: z.boolean(),
  seller: party,
  /** Whether numbers come from the seller's own tracks. */
  needsTracks: z.boolean(),
});
export type EinvoiceSettings = z.output<typeof EinvoiceSettings>;

const Preference = z.extend(KeepChoice, {
  isOn: z.boolean(),
  taxId: z.string(),
  /** Where they can be stored. */
  keeps: z.array(z.enum(keeps)),
});

const kindSums = z.strictObject({
  kind: z.enum(buyerKinds),
  taxKind: z.enum([...itemTaxKinds, 'mixed']),
  count: z.int(),
  ...sums,
});
/** The data for the tax return (401, 403) of a two-month period. */
export const PeriodSummary = z.strictObject({
  period: month,
  sales: z.array(kindSums),
  allowances: z.array(kindSums),
  /** Sales minus allowances; what was voided counts from the provider’s confirmation on. */
  net: moneyShape,
  tax: moneyShape,
  total: moneyShape,
  voided: z.int(),
  /** Invoices, voids and allowances that are in progress or have failed. */
  waiting: z.int(),
  failed: z.int(),
  unused: z.array(z.strictObject({ letters: z.string(), from: z.int(), to: z.int(), count: z.int() })),
  canReportUnused: z.boolean(),
});
export type PeriodSummary = z.output<typeof PeriodSummary>;

const readable = { roles: ['User', 'ReadOnly'], apiKey: 'read' } as const;
const user = { roles: ['User'] } as const;
const admin = { roles: ['Admin'] } as const;
const oneBill = z.strictObject({ billId: id('bil') });
const oneInvoice = z.strictObject({ einvoiceId: id('ein') });
const reason = text(20);
const filterFields = {
  q: pageQuery.q,
  state: z.optional(z.enum(einvoiceStates)),
  kind: z.optional(z.enum(buyerKinds)),
  period: z.optional(month),
};
const listFilter = { ...pageQuery, ...filterFields };
const ofPeriod = z.strictObject({ period: month });

export const einvoices = contract({
  listEinvoices: route({
    method: 'GET',
    path: '/einvoices',
    access: readable,
    summary: 'List your e-invoices',
    description: 'Newest first.',
    input: z.strictObject(pageQuery),
    output: z.extend(pageOf(Einvoice), { isOn: z.boolean() }),
  }),
  billEinvoices: route({
    method: 'GET',
    path: '/bills/:billId/einvoices',
    access: readable,
    summary: 'List a bill’s e-invoices',
    description: 'Includes whom they’re for.',
    input: oneBill,
    output: BillEinvoices,
  }),
  saveBillBuyer: route({
    method: 'PUT',
    path: '/bills/:billId/einvoices/buyer',
    access: user,
    summary: 'Set the buyer on a bill’s e-invoices',
    description: 'Whom those not issued yet are for, and where they’re stored.',
    input: z.extend(oneBill, BuyerChoice.shape),
    output: BillEinvoices,
  }),
  einvoiceProof: route({
    method: 'GET',
    path: '/einvoices/:einvoiceId/proof',
    access: readable,
    atOnce: 2,
    summary: 'Download an e-invoice as PDF',
    description: 'The printed proof of one of your e-invoices.',
    input: oneInvoice,
    output: file,
  }),
  getEinvoicePreference: route({
    method: 'GET',
    path: '/einvoices/preference',
    access: readable,
    summary: 'Get your e-invoice preference',
    description: 'Where your e-invoices are stored. With a tax ID, they’re made out to the company instead.',
    input: z.strictObject({}),
    output: Preference,
  }),
  saveEinvoicePreference: route({
    method: 'PUT',
    path: '/einvoices/preference',
    access: user,
    summary: 'Update your e-invoice preference',
    description: 'Where your e-invoices are stored from now on.',
    input: KeepChoice,
    output: Preference,
  }),

  adminListEinvoices: route({
    method: 'GET',
    path: '/admin/einvoices',
    access: admin,
    summary: 'List all e-invoices',
    description: 'Searchable by number, organization, bill, and tax ID.',
    input: z.strictObject(listFilter),
    output: pageOf(Einvoice),
  }),
  exportEinvoices: route({
    method: 'GET',
    path: '/admin/einvoices/export',
    access: admin,
    atOnce: 2,
    perMinute: 30,
    summary: 'Export e-invoices',
    description: 'Those that match the list’s filter.',
    input: z.strictObject({
      ...filterFields,
      format: z.enum(['csv', 'xlsx']),
      language: z.optional(language),
    }),
    output: file,
  }),
  adminGetEinvoice: route({
    method: 'GET',
    path: '/admin/einvoices/:einvoiceId',
    access: admin,
    summary: 'Get any e-invoice',
    description: 'Includes its document, allowances, and attempts.',
    input: oneInvoice,
    output: EinvoiceDetail,
  }),
  adminEinvoiceProof: route({
    method: 'GET',
    path: '/admin/einvoices/:einvoiceId/proof',
    access: admin,
    atOnce: 2,
    summary: 'Download any e-invoice as PDF',
    description: 'The printed proof. It’s marked as a copy when printed again.',
    input: z.extend(oneInvoice, { isCopy: z.optional(queryFlag) }),
    output: file,
  }),
  adminBillEinvoices: route({
    method: 'GET',
    path: '/admin/bills/:billId/einvoices',
    access: admin,
    summary: 'List any bill’s e-invoices',
    description: 'Includes whom they’re for.',
    input: oneBill,
    output: BillEinvoices,
  }),
  coverBill: route({
    method: 'POST',
    path: '/admin/bills/:billId/einvoices',
    access: admin,
    idempotent: true,
    summary: 'Create e-invoices for a bill',
    description: 'For a bill that has none, such as one from before e-invoices were turned on.',
    input: oneBill,
    output: BillEinvoices,
  }),
  retryEinvoice: route({
    method: 'POST',
    path: '/admin/einvoices/:einvoiceId/retry',
    access: admin,
    idempotent: true,
    summary: 'Retry an e-invoice',
    description: 'Resends it, its void, and its allowances now. Whatever is uncertain is looked up first.',
    input: oneInvoice,
    output: EinvoiceDetail,
  }),
  markEinvoiceUploaded: route({
    method: 'POST',
    path: '/admin/einvoices/:einvoiceId/uploaded',
    access: admin,
    idempotent: true,
    summary: 'Mark an e-invoice as uploaded',
    description: 'Records that the Ministry has it, as the operator of Turnkey saw there.',
    input: oneInvoice,
    output: EinvoiceDetail,
  }),
  changeBuyer: route({
    method: 'PUT',
    path: '/admin/einvoices/:einvoiceId/buyer',
    access: admin,
    summary: 'Correct an e-invoice’s buyer',
    description: 'For an e-invoice that has reached nobody yet. It’s sent again.',
    input: z.extend(oneInvoice, BuyerChoice.shape),
    output: EinvoiceDetail,
  }),
  voidEinvoice: route({
    method: 'POST',
    path: '/admin/einvoices/:einvoiceId/void',
    access: admin,
    idempotent: true,
    summary: 'Void an e-invoice',
    description:
      'Voids it within its two-month period, and issues an allowance after that. A new one follows, to another buyer if you name one, unless `again` is false.',
    input: z.extend(oneInvoice, { reason, again: z.boolean(), buyer: z.optional(BuyerChoice) }),
    output: EinvoiceDetail,
  }),
  voidAllowance: route({
    method: 'POST',
    path: '/admin/einvoice-allowances/:allowanceId/void',
    access: admin,
    idempotent: true,
    summary: 'Void an allowance',
    description: 'If its credit note still stands, a new one follows.',
    input: z.strictObject({ allowanceId: id('eal'), reason }),
    output: EinvoiceDetail,
  }),
  settleAllowance: route({
    method: 'POST',
    path: '/admin/einvoice-allowances/:allowanceId/settle',
    access: admin,
    idempotent: true,
    summary: 'Settle an allowance',
    description:
      'Records what became of it when the provider can’t be asked: its number there, or an empty number if there is none.',
    input: z.strictObject({ allowanceId: id('eal'), number: optionalText(16) }),
    output: EinvoiceDetail,
  }),
  listTracks: route({
    method: 'GET',
    path: '/admin/einvoices/tracks',
    access: admin,
    summary: 'List number ranges',
    description: 'The tracks of e-invoice numbers, the newest period first.',
    input: z.strictObject(pageQuery),
    output: pageOf(Track),
  }),
  addTrack: route({
    method: 'POST',
    path: '/admin/einvoices/tracks',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Add a number range',
    description:
      'A range that the Ministry allotted for a two-month period. Waiting e-invoices continue automatically.',
    input: z.strictObject({
      period: month,
      letters: z.string().check(z.trim(), z.toUpperCase(), z.maxLength(4)),
      from: text(8),
      to: text(8),
    }),
    output: Track,
  }),
  removeTrack: route({
    method: 'DELETE',
    path: '/admin/einvoices/tracks/:trackId',
    access: admin,
    summary: 'Remove a number range',
    description: 'Only if none of its numbers was used.',
    input: z.strictObject({ trackId: id('etr') }),
    output: nothing,
  }),
  periodSummary: route({
    method: 'GET',
    path: '/admin/einvoices/periods/:period',
    access: admin,
    summary: 'Get a tax period summary',
    description:
      'What goes into the return of a two-month period: sales, allowances, and void and unused numbers.',
    input: ofPeriod,
    output: PeriodSummary,
  }),
  periodCsv: route({
    method: 'GET',
    path: '/admin/einvoices/periods/:period/csv',
    access: admin,
    atOnce: 2,
    summary: 'Download a tax period summary as CSV',
    input: z.extend(ofPeriod, { language: z.optional(language) }),
    output: file,
  }),
  reportUnused: route({
    method: 'POST',
    path: '/admin/einvoices/periods/:period/unused',
    access: admin,
    summary: 'Report unused numbers',
    description: 'Reports the numbers of an ended period that no invoice used (E0402).',
    input: ofPeriod,
    output: PeriodSummary,
  }),
  getEinvoiceSettings: route({
    method: 'GET',
    path: '/admin/einvoices/settings',
    access: admin,
    summary: 'Get e-invoice settings',
    description: 'Without the provider’s keys.',
    input: z.strictObject({}),
    output: EinvoiceSettings,
  }),
  saveEinvoiceSettings: route({
    method: 'PUT',
    path: '/admin/einvoices/settings',
    access: admin,
    fresh: true,
    summary: 'Update e-invoice settings',
    description: 'Keys that are left out are kept.',
    input: z.strictObject({
      ...settingFields,
      hashKey: z.optional(optionalText(64)),
      hashIv: z.optional(optionalText(64)),
      /** 32 hexadecimal digits from the Ministry’s platform; empty removes it. */
      qrKey: z.optional(optionalText(64)),
    }),
    output: EinvoiceSettings,
  }),
  checkEinvoiceProvider: route({
    method: 'POST',
    path: '/admin/einvoices/settings/check',
    access: admin,
    perMinute: 10,
    summary: 'Check the e-invoice provider',
    description: 'Calls it with the stored settings and returns whether it would issue.',
    input: z.strictObject({}),
    output: z.strictObject({ isLive: z.boolean() }),
  }),
});

export const einvoicesErrors = {
  'einvoices.not_found': 404,
  'einvoices.off': 409,
  'einvoices.not_covered': 409,
  'einvoices.only_twd': 409,
  'einvoices.nothing_to_cover': 409,
  'einvoices.covered_already': 409,
  'einvoices.sent_already': 409,
  'einvoices.unsure': 409,
  'einvoices.taken_back': 409,
  'einvoices.no_proof': 409,
  'einvoices.not_uploading': 409,
  'einvoices.nothing_to_retry': 409,
  'einvoices.allowance_not_found': 404,
  'einvoices.allowance_void': 409,
  'einvoices.allowance_known': 409,
  'einvoices.track_not_found': 404,
  'einvoices.track_used': 409,
  'einvoices.tracks_needless': 409,
  'einvoices.track_overlaps': 409,
  'einvoices.unused_already': 409,
  'einvoices.unused_by_provider': 409,
  'einvoices.period_runs': 409,
  'einvoices.provider_refused': 422,
  'einvoices.provider_silent': 422,
  // Invalid fields: the response names the field (400).
  'einvoices.tax_id_wrong': 400,
  'einvoices.buyer_empty': 400,
  'einvoices.mobile_wrong': 400,
  'einvoices.citizen_wrong': 400,
  'einvoices.donation_wrong': 400,
  'einvoices.allowance_number_wrong': 400,
  'einvoices.qr_key_wrong': 400,
  'einvoices.period_wrong': 400,
  'einvoices.period_past': 400,
  'einvoices.letters_wrong': 400,
  'einvoices.digits_wrong': 400,
  'einvoices.range_reversed': 400,
  'einvoices.range_uneven': 400,
  'einvoices.seller_missing': 400,
  'einvoices.merchant_missing': 400,
  'einvoices.keys_missing': 400,
  // Why an invoice waits or failed; never the error of a request.
  'einvoices.no_number': 409,
  'einvoices.no_answer': 409,
  'einvoices.number_taken': 409,
  'einvoices.amounts_differ': 409,
  'einvoices.other_provider': 409,
} as const satisfies ErrorTable;
