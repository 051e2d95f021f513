// Consolidated bills: everything an organization pays for a month, its own bills and others', on one bill
// with a section for each.
import * as z from 'zod/mini';
import { file, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { currency, id, instant, language, moneyShape, month, pageOf, pageQuery } from '#kernel/shape.ts';
import { Bill, billStates, paymentStatuses } from './contract-bill.ts';

export const ConsolidatedBill = z.strictObject({
  id: id('cbl'),
  number: z.string(),
  /** The paying organization. */
  organizationId: id('org'),
  organization: z.string(),
  month,
  currency,
  /** 0; then 1, 2, … for bills of the month issued later. */
  supplement: z.int(),
  issuedAt: instant,
  /** One due date for all of its bills: the latest of theirs. */
  dueAt: instant,
  /** The number of bills it lists. */
  sections: z.int(),
  /** Sums of its bills as issued. */
  net: moneyShape,
  tax: moneyShape,
  total: moneyShape,
  /** The current sums of its bills: paid, credited, and due on open ones. */
  paid: moneyShape,
  credited: moneyShape,
  due: moneyShape,
  /** The amount to pay now: of a bill due in installments, those that are due. */
  dueNow: moneyShape,
  /** `open` while one of its bills is open; `void` if all are void. */
  state: z.enum(billStates),
  paymentStatus: z.enum(paymentStatuses),
});
export type ConsolidatedBill = z.output<typeof ConsolidatedBill>;

/** With its bills: the organization's own first, then others' by name. */
export const ConsolidatedBillDetail = z.extend(ConsolidatedBill, { bills: z.array(Bill) });
export type ConsolidatedBillDetail = z.output<typeof ConsolidatedBillDetail>;

const readable = { roles: ['User', 'ReadOnly'], apiKey: 'read' } as const;
const admin = { roles: ['Admin'] } as const;
const one = { consolidatedId: id('cbl') };

export const consolidatedRoutes = {
  listConsolidatedBills: route({
    method: 'GET',
    path: '/consolidated-bills',
    access: readable,
    isBatchable: true,
    summary: 'List your consolidated bills',
    description: 'Newest first.',
    input: z.strictObject({ ...pageQuery, month: z.optional(month) }),
    output: pageOf(ConsolidatedBill),
  }),
  getConsolidatedBill: route({
    method: 'GET',
    path: '/consolidated-bills/:consolidatedId',
    access: readable,
    isBatchable: true,
    summary: 'Get a consolidated bill',
    description: 'Includes the bills on it.',
    input: z.strictObject(one),
    output: ConsolidatedBillDetail,
  }),
  consolidatedBillPdf: route({
    method: 'GET',
    path: '/consolidated-bills/:consolidatedId/pdf',
    access: readable,
    atOnce: 2,
    summary: 'Download a consolidated bill as PDF',
    description: 'A summary, and a section with the lines of each bill.',
    input: z.strictObject({ ...one, language: z.optional(language) }),
    output: file,
  }),
  consolidatedBillCsv: route({
    method: 'GET',
    path: '/consolidated-bills/:consolidatedId/csv',
    access: readable,
    atOnce: 2,
    summary: 'Download a consolidated bill as CSV',
    description: 'The lines of all its bills, with who used what they charge for.',
    input: z.strictObject({ ...one, language: z.optional(language) }),
    output: file,
  }),
  adminListConsolidatedBills: route({
    method: 'GET',
    path: '/admin/consolidated-bills',
    access: admin,
    isBatchable: true,
    summary: 'List all consolidated bills',
    description: 'Newest first.',
    input: z.strictObject({ ...pageQuery, organizationId: z.optional(id('org')), month: z.optional(month) }),
    output: pageOf(ConsolidatedBill),
  }),
  adminGetConsolidatedBill: route({
    method: 'GET',
    path: '/admin/consolidated-bills/:consolidatedId',
    access: admin,
    isBatchable: true,
    summary: 'Get any consolidated bill',
    description: 'Includes the bills on it.',
    input: z.strictObject(one),
    output: ConsolidatedBillDetail,
  }),
} as const;

export const consolidatedErrors = { 'billing.consolidated_not_found': 404 } as const satisfies ErrorTable;
