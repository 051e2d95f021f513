// Credits: partial or full reversals of issued bills, and remarks on them.
import * as z from 'zod/mini';
import { contract, file, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  acceptedMoney,
  currency,
  exactDecimal,
  id,
  instant,
  language,
  moneyShape,
  month,
  pageOf,
  pageQuery,
  text,
  unsignedDecimal,
} from '#kernel/shape.ts';
import { Bill, BillLine, lineKinds, LineTerm } from '#features/invoicing/billing/contract.ts';
import { accountKinds } from '#features/invoicing/ledger/contract.ts';

/** Who can read a remark on a bill. */
export const noteReaders = ['admins', 'customer'] as const;

const lineId = z.string().check(z.regex(/^\d{1,6}$/));
const bothLanguages = z.optional(z.pick(LineTerm, { name: true }));
const named = {
  lineId,
  kind: z.enum(lineKinds),
  serviceName: z.string(),
  /** The charge of a rate card, or the term, that the line is for. */
  charge: bothLanguages,
  term: bothLanguages,
  forMonth: z.optional(month),
};
const amounts = { net: moneyShape, tax: moneyShape, total: moneyShape };

/** The amount taken from one line of the bill. */
export const CreditedLine = z.strictObject({ ...named, ...amounts });
export type CreditedLine = z.output<typeof CreditedLine>;
/**
 * A line of the bill as charged, with what discounts and promotional credit deducted, and its amount not yet
 * credited.
 */
export const CreditableLine = z.strictObject({ ...named, stored: moneyShape, rest: moneyShape });
export type CreditableLine = z.output<typeof CreditableLine>;

/**
 * Where the reversed amount goes: it first reduces the amount due; the rest was already paid and goes to the
 * organization's balance.
 */
const settlement = { toDue: moneyShape, toBalance: moneyShape };
/** What returns to the prepaid credit that paid the bill. */
const toPrepaid = moneyShape;

export const CreditNote = z.strictObject({
  id: id('crn'),
  number: z.string(),
  billId: id('bil'),
  billNumber: z.string(),
  organizationId: id('org'),
  organization: z.string(),
  /** The bill's month. */
  month,
  issuedAt: instant,
  reason: z.string(),
  currency,
  ...amounts,
  ...settlement,
});
export type CreditNote = z.output<typeof CreditNote>;

export const BillVoid = z.strictObject({
  reason: z.string(),
  voidedAt: instant,
  /** The Admin who issued it; null for members. */
  by: z.nullable(z.string()),
  ...amounts,
  ...settlement,
  toPrepaid,
});
export type BillVoid = z.output<typeof BillVoid>;
export const BillNote = z.strictObject({
  id: id('bno'),
  body: z.string(),
  visibleTo: z.enum(noteReaders),
  writtenAt: instant,
  by: z.nullable(z.string()),
});
export type BillNote = z.output<typeof BillNote>;

const oneBillNamed = z.strictObject({ id: id('bil'), number: z.string(), month });
/** The history of a bill after it was issued. */
export const BillHistory = z.strictObject({
  billId: id('bil'),
  /** The sum of its credit notes, and the part that went to the balance. */
  credited: moneyShape,
  returned: moneyShape,
  creditNotes: z.array(CreditNote),
  void: z.nullable(BillVoid),
  replaces: z.nullable(oneBillNamed),
  replacedBy: z.nullable(oneBillNamed),
  notes: z.array(BillNote),
});
export type BillHistory = z.output<typeof BillHistory>;

/** The exact effect of a reversal. */
export const CreditPreview = z.strictObject({
  lines: z.array(CreditedLine),
  currency,
  ...amounts,
  ...settlement,
  toPrepaid,
  /** The amount due on the bill before and after. */
  dueBefore: moneyShape,
  dueAfter: moneyShape,
  /** The ledger's entries. */
  entries: z.array(
    z.strictObject({
      accountKind: z.enum(accountKinds),
      debit: z.nullable(moneyShape),
      credit: z.nullable(moneyShape),
    }),
  ),
});
export type CreditPreview = z.output<typeof CreditPreview>;

/** The bill that would be issued for the month now. */
export const ReissuePreview = z.strictObject({
  /** What voiding the bill will do; null if it is already void. */
  void: z.nullable(CreditPreview),
  previousTotal: moneyShape,
  /** Null if current usage leaves nothing to bill in this currency. */
  bill: z.nullable(
    z.strictObject({
      currency,
      net: moneyShape,
      taxRate: exactDecimal,
      tax: moneyShape,
      total: moneyShape,
      lines: z.array(BillLine),
    }),
  ),
});
export type ReissuePreview = z.output<typeof ReissuePreview>;

/**
 * What to credit: the entire remainder, a share of the whole bill by percent or net amount, or net amounts of
 * single lines.
 */
export const CreditAsk = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('rest') }),
  z.strictObject({ kind: z.literal('percent'), percent: unsignedDecimal }),
  z.strictObject({ kind: z.literal('amount'), net: acceptedMoney }),
  z.strictObject({
    kind: z.literal('lines'),
    lines: z.array(z.strictObject({ lineId, net: acceptedMoney })).check(z.minLength(1), z.maxLength(2000)),
  }),
]);
export type CreditAsk = z.output<typeof CreditAsk>;

const readable = { roles: ['User', 'ReadOnly'], apiKey: 'read' } as const;
const admin = { roles: ['Admin'] } as const;
const oneBill = z.strictObject({ billId: id('bil') });
const oneNote = z.strictObject({ creditNoteId: id('crn'), language: z.optional(language) });
const reason = text(500);

export const credits = contract({
  billHistory: route({
    method: 'GET',
    path: '/bills/:billId/history',
    access: readable,
    summary: 'Get a bill’s history',
    description: 'Its credit notes, void, replacement, and notes.',
    input: oneBill,
    output: BillHistory,
  }),
  listCreditNotes: route({
    method: 'GET',
    path: '/credit-notes',
    access: readable,
    isBatchable: true,
    summary: 'List your credit notes',
    description: 'Newest first.',
    input: z.strictObject({ ...pageQuery }),
    output: pageOf(CreditNote),
  }),
  creditNotePdf: route({
    method: 'GET',
    path: '/credit-notes/:creditNoteId/pdf',
    access: readable,
    atOnce: 2,
    summary: 'Download a credit note as PDF',
    input: oneNote,
    output: file,
  }),
  creditNoteCsv: route({
    method: 'GET',
    path: '/credit-notes/:creditNoteId/csv',
    access: readable,
    atOnce: 2,
    summary: 'Download a credit note as CSV',
    description: 'One row for each line.',
    input: oneNote,
    output: file,
  }),

  adminBillHistory: route({
    method: 'GET',
    path: '/admin/bills/:billId/history',
    access: admin,
    summary: 'Get any bill’s history',
    description: 'Its credit notes, void, replacement, and all notes, with what’s left of each line.',
    input: oneBill,
    output: z.extend(BillHistory, { lines: z.array(CreditableLine) }),
  }),
  adminListCreditNotes: route({
    method: 'GET',
    path: '/admin/credit-notes',
    access: admin,
    summary: 'List all credit notes',
    input: z.strictObject({ ...pageQuery, organizationId: z.optional(id('org')) }),
    output: pageOf(CreditNote),
  }),
  adminCreditNotePdf: route({
    method: 'GET',
    path: '/admin/credit-notes/:creditNoteId/pdf',
    access: admin,
    atOnce: 2,
    summary: 'Download any credit note as PDF',
    input: oneNote,
    output: file,
  }),
  previewCredit: route({
    method: 'POST',
    path: '/admin/bills/:billId/credit-notes/preview',
    access: admin,
    summary: 'Preview a credit note',
    description: 'What it would credit, settle, and book.',
    input: z.strictObject({ billId: id('bil'), what: CreditAsk }),
    output: CreditPreview,
  }),
  issueCredit: route({
    method: 'POST',
    path: '/admin/bills/:billId/credit-notes',
    access: admin,
    status: 201,
    idempotent: true,
    fresh: true,
    summary: 'Issue a credit note',
    description:
      'Credits part of a bill. The amount is deducted from what’s due; the rest is added to the balance.',
    input: z.strictObject({ billId: id('bil'), reason, what: CreditAsk }),
    output: CreditNote,
  }),
  previewVoid: route({
    method: 'GET',
    path: '/admin/bills/:billId/void',
    access: admin,
    summary: 'Preview voiding a bill',
    description: 'What it would credit, settle, and book.',
    input: oneBill,
    output: CreditPreview,
  }),
  voidBill: route({
    method: 'POST',
    path: '/admin/bills/:billId/void',
    access: admin,
    idempotent: true,
    fresh: true,
    summary: 'Void a bill',
    description: 'Credits everything that’s left of it. Its number stays used.',
    input: z.strictObject({ billId: id('bil'), reason }),
    output: Bill,
  }),
  previewReissue: route({
    method: 'GET',
    path: '/admin/bills/:billId/reissue',
    access: admin,
    summary: 'Preview reissuing a bill',
    description: 'What the bill’s month would come to if it were billed now.',
    input: oneBill,
    output: ReissuePreview,
  }),
  reissueBill: route({
    method: 'POST',
    path: '/admin/bills/:billId/reissue',
    access: admin,
    idempotent: true,
    fresh: true,
    summary: 'Reissue a bill',
    description:
      'Bills a voided bill’s month again under a new number. With a reason, a bill that still stands is voided first. Repeating it has no effect.',
    input: z.strictObject({ billId: id('bil'), reason: z.optional(reason) }),
    output: Bill,
  }),
  addBillNote: route({
    method: 'POST',
    path: '/admin/bills/:billId/notes',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Add a note to a bill',
    description: 'For colleagues or for the customer.',
    input: z.strictObject({ billId: id('bil'), body: text(2000), visibleTo: z.enum(noteReaders) }),
    output: BillNote,
  }),
});

export const creditsErrors = {
  'credits.note_not_found': 404,
  'credits.nothing_asked': 422,
  'credits.line_unknown': 422,
  'credits.currency_differs': 422,
  'credits.above_rest': 409,
  'credits.nothing_left': 409,
  'credits.not_void': 409,
  'credits.nothing_to_issue': 409,
  'credits.balance_too_low': 409,
} as const satisfies ErrorTable;
