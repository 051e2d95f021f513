// Bills of resellers to their customers.
import * as z from 'zod/mini';
import { day, exactDecimal, id, instant, moneyShape, month, currency } from '#kernel/shape.ts';

/** A credit note on a retail bill. */
export const RetailCredit = z.strictObject({
  id: id('rcn'),
  number: z.string(),
  reason: z.string(),
  net: moneyShape,
  tax: moneyShape,
  total: moneyShape,
  issuedAt: instant,
});
export type RetailCredit = z.output<typeof RetailCredit>;

export const RetailBill = z.strictObject({
  id: id('rtb'),
  number: z.string(),
  organizationId: id('org'),
  /** Who buys and who sells, as they were called when it was issued. */
  organization: z.string(),
  seller: z.string(),
  /** How to pay, as the reseller wrote it. */
  instructions: z.string(),
  month,
  currency,
  issuedAt: instant,
  dueAt: instant,
  net: moneyShape,
  /** In percent. */
  taxRate: exactDecimal,
  tax: moneyShape,
  total: moneyShape,
  /** What credit notes took back, with tax. */
  credited: moneyShape,
  /** When it was paid, as the reseller noted it; null: it is not. */
  paidOn: z.nullable(day),
  /** For the reseller's own people; empty for customers. */
  paidNote: z.string(),
});
export type RetailBill = z.output<typeof RetailBill>;
