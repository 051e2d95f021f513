// Late fees: charges to an organization for bills that it pays late.
import * as z from 'zod/mini';
import { contract, noInput, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { acceptedMoney, currency, day, id, instant, moneyShape, text } from '#kernel/shape.ts';
import { oneOffTaxes } from '#features/invoicing/one-offs/contract.ts';

export const longestGrace = 90;

/** Either an annual percentage or a fixed sum for each step of dunning's schedule. */
export const CurrencyTerms = z.strictObject({
  currency,
  /** Per year, of the late amount, by days of 1/365; null with a fixed sum. */
  percent: z.nullable(z.string().check(z.trim(), z.maxLength(12))),
  fixed: z.nullable(acceptedMoney),
  /** No fee is charged for a bill until it reaches this amount. */
  minimum: acceptedMoney,
  /** The maximum of all fees of one bill together; null for no limit. */
  cap: z.nullable(acceptedMoney),
});
export type CurrencyTerms = z.output<typeof CurrencyTerms>;
export const LateFeeTerms = z.strictObject({
  /** How many days after the due date are free. */
  graceDays: z.int().check(z.minimum(0), z.maximum(longestGrace)),
  taxedAs: z.enum(oneOffTaxes),
  currencies: z.array(CurrencyTerms).check(z.minLength(1), z.maxLength(20)),
});
export type LateFeeTerms = z.output<typeof LateFeeTerms>;

const LateFeeSettings = z.strictObject({
  /** Null: off. They apply to bills issued from now on. */
  terms: z.nullable(LateFeeTerms),
  since: z.nullable(instant),
  by: z.string(),
  /** Whether bills state taxes by category; otherwise late fees are taxed like everything else. */
  isTaxStated: z.boolean(),
});
export type LateFeeSettings = z.output<typeof LateFeeSettings>;

/**
 * `pending`: will be on the next bill; `waived`: withdrawn before it was billed; `credited`: by a credit
 * note.
 */
export const lateFeeStates = ['pending', 'billed', 'waived', 'credited'] as const;
export const LateFee = z.strictObject({
  id: id('lfe'),
  amount: moneyShape,
  state: z.enum(lateFeeStates),
  madeAt: instant,
  /** The basis of its calculation; empty for a step of the schedule. */
  stretches: z.array(z.strictObject({ from: day, until: day, days: z.int(), late: moneyShape })),
  /** How many days after the due date the step was; null for a percentage. */
  step: z.nullable(z.int()),
  /** The bill that it is on. */
  onBill: z.nullable(z.strictObject({ id: id('bil'), number: z.string() })),
  /** Why it was waived. */
  reason: z.string(),
});
export type LateFee = z.output<typeof LateFee>;
export const BillLateFees = z.strictObject({
  /** The terms of the bill: those of its day of issue. Null if it has none. */
  terms: z.nullable(CurrencyTerms),
  graceDays: z.int(),
  /** The first day with a fee. */
  firstDay: z.nullable(day),
  /** The amount not charged yet, for days through yesterday. Null for fixed sums. */
  running: z.nullable(moneyShape),
  fees: z.array(LateFee),
});
export type BillLateFees = z.output<typeof BillLateFees>;

const admin = { roles: ['Admin'] } as const;
const oneBill = z.strictObject({ billId: id('bil') });

export const lateFees = contract({
  getLateFees: route({
    method: 'GET',
    path: '/admin/late-fees',
    access: admin,
    summary: 'Get late fee terms',
    description: 'Null while late fees are off.',
    input: noInput,
    output: LateFeeSettings,
  }),
  saveLateFees: route({
    method: 'PUT',
    path: '/admin/late-fees',
    access: admin,
    summary: 'Update late fee terms',
    description: 'For bills issued from now on. Turning late fees off stops those of all bills.',
    input: z.strictObject({ terms: z.nullable(LateFeeTerms) }),
    output: LateFeeSettings,
  }),
  billLateFees: route({
    method: 'GET',
    path: '/bills/:billId/late-fees',
    access: { roles: ['User', 'ReadOnly'], apiKey: 'read' },
    summary: 'Get a bill’s late fees',
    description: 'What was charged and how it was calculated.',
    input: oneBill,
    output: BillLateFees,
  }),
  adminBillLateFees: route({
    method: 'GET',
    path: '/admin/bills/:billId/late-fees',
    access: admin,
    summary: 'Get any bill’s late fees',
    description: 'What was charged and how it was calculated.',
    input: oneBill,
    output: BillLateFees,
  }),
  waiveLateFee: route({
    method: 'POST',
    path: '/admin/late-fees/:lateFeeId/waive',
    access: admin,
    idempotent: true,
    summary: 'Waive a late fee',
    description: 'Withdraws it while it’s not on a bill, and issues a credit note if it is.',
    input: z.strictObject({ lateFeeId: id('lfe'), reason: text(300) }),
    output: BillLateFees,
  }),
});

export const lateFeesErrors = {
  'latefees.not_found': 404,
  'latefees.waived_already': 409,
  'latefees.currency_twice': 400,
  'latefees.one_way': 400,
  'latefees.percent_wrong': 400,
  'latefees.other_currency': 400,
  'latefees.amount_wrong': 400,
  'latefees.cap_wrong': 400,
} as const satisfies ErrorTable;
