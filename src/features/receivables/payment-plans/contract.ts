// Payment plans: installments or a promised date that an Admin agrees to for unpaid bills.
import * as z from 'zod/mini';
import { contract, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { acceptedMoney, currency, day, id, instant, moneyShape, optionalText, text } from '#kernel/shape.ts';

export const maxInstalments = 36;
export const maxBills = 50;
/** `missed`: an installment was not paid within the grace period; the bills are due in full again. */
export const planEndings = ['kept', 'missed', 'cancelled', 'changed'] as const;
export type PlanEnding = (typeof planEndings)[number];

/**
 * `later`: not due yet; `due`: the next one; `missed`: its day is over; `shortened`: removed by a credit
 * note.
 */
export const instalmentStates = ['paid', 'due', 'missed', 'later', 'shortened'] as const;
export type InstalmentState = (typeof instalmentStates)[number];

export const PaymentPlan = z.strictObject({
  id: id('ppl'),
  currency,
  bills: z.array(z.strictObject({ id: id('bil'), number: z.string(), due: moneyShape })),
  /** As agreed, in order; `rest` is the unpaid amount of each, over all bills. */
  instalments: z.array(
    z.strictObject({ on: day, amount: moneyShape, rest: moneyShape, state: z.enum(instalmentStates) }),
  ),
  total: moneyShape,
  /** How many days an installment may be late before dunning continues. */
  graceDays: z.int(),
  note: z.string(),
  agreedAt: instant,
  /** The Admin who agreed; empty for customers. */
  agreedBy: z.string(),
  endedAt: z.nullable(instant),
  ending: z.nullable(z.enum(planEndings)),
  endReason: z.string(),
});
export type PaymentPlan = z.output<typeof PaymentPlan>;

const BillPlans = z.strictObject({
  /** Null if the bill is due as a whole. */
  plan: z.nullable(PaymentPlan),
  /** Past plans of the bill, newest first. */
  past: z.array(PaymentPlan),
});
export type BillPlans = z.output<typeof BillPlans>;

const admin = { roles: ['Admin'] } as const;
const oneBill = z.strictObject({ billId: id('bil') });
const terms = {
  /** A single one is a promised date. The days are ascending; the amounts add up to the amount due. */
  instalments: z
    .array(z.strictObject({ on: day, amount: acceptedMoney }))
    .check(z.minLength(1), z.maxLength(maxInstalments)),
  graceDays: z.int().check(z.minimum(0), z.maximum(60)),
  note: optionalText(300),
};

export const plans = contract({
  billPlan: route({
    method: 'GET',
    path: '/bills/:billId/payment-plan',
    access: { roles: ['User', 'ReadOnly'], apiKey: 'read' },
    summary: 'Get a bill’s payment plan',
    description: 'The agreed installments and what’s left of each.',
    input: oneBill,
    output: BillPlans,
  }),
  adminBillPlan: route({
    method: 'GET',
    path: '/admin/bills/:billId/payment-plan',
    access: admin,
    summary: 'Get any bill’s payment plan',
    description: 'Includes who agreed to it, and earlier plans.',
    input: oneBill,
    output: BillPlans,
  }),
  agreePlan: route({
    method: 'POST',
    path: '/admin/payment-plans',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Create a payment plan',
    description:
      'Agrees on installments, or one promised date, for unpaid bills of one organization in one currency. Dunning waits while they’re paid on time.',
    input: z.strictObject({
      billIds: z.array(id('bil')).check(z.minLength(1), z.maxLength(maxBills)),
      ...terms,
    }),
    output: PaymentPlan,
  }),
  changePlan: route({
    method: 'PUT',
    path: '/admin/payment-plans/:planId',
    access: admin,
    summary: 'Replace a payment plan',
    description: 'A new plan covers what’s still due on the bills.',
    input: z.strictObject({ planId: id('ppl'), ...terms }),
    output: PaymentPlan,
  }),
  cancelPlan: route({
    method: 'POST',
    path: '/admin/payment-plans/:planId/cancel',
    access: admin,
    idempotent: true,
    summary: 'Cancel a payment plan',
    description: 'Its bills are due in full again, and dunning continues where it stopped.',
    input: z.strictObject({ planId: id('ppl'), reason: text(300) }),
    output: PaymentPlan,
  }),
});

export const plansErrors = {
  'plans.not_found': 404,
  'plans.ended': 409,
  'plans.bill_not_open': 409,
  'plans.bill_has_plan': 409,
  'plans.bills_differ': 400,
  'plans.days_not_rising': 400,
  'plans.day_past': 400,
  'plans.day_far': 400,
  'plans.amount_not_positive': 400,
  'plans.other_currency': 400,
  'plans.sum_differs': 400,
} as const satisfies ErrorTable;
