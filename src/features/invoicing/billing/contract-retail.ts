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
  /** Buyer and seller, with their names at the time of issue. */
  organization: z.string(),
  seller: z.string(),
  /** Payment instructions, as the reseller wrote them. */
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
  /** The amount credited, with tax. */
  credited: moneyShape,
  /** When it was paid, as recorded by the reseller; null if it is unpaid. */
  paidOn: z.nullable(day),
  /** For the reseller's own users; empty for customers. */
  paidNote: z.string(),
});
export type RetailBill = z.output<typeof RetailBill>;
