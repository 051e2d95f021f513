// Budgets: an organization's planned spending per month, its actual spending, and its forecast.
import * as z from 'zod/mini';
import { contract, noInput, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  acceptedMoney,
  currency,
  exactDecimal,
  id,
  instant,
  moneyShape,
  month,
  text,
} from '#kernel/shape.ts';

export const budgetKinds = ['actual', 'forecast'] as const;
export type BudgetKind = (typeof budgetKinds)[number];

/** Default thresholds in percent of a budget. */
export const initialThresholds: readonly number[] = [50, 85, 100];
const thresholds = z
  .array(z.int().check(z.minimum(1), z.maximum(1000)))
  .check(z.minLength(1), z.maxLength(10));
/** The maximum number of budgets per organization. */
export const maxBudgets = 50;

export const Budget = z.strictObject({
  id: id('bud'),
  name: z.string(),
  /** Null for the sum of all services. */
  service: z.nullable(z.strictObject({ id: id('svc'), name: z.string() })),
  amount: moneyShape,
  /** In percent, ascending. */
  thresholds,
  month,
  /** The cost of the current month so far, before tax: exact, in the budget's currency. */
  actual: exactDecimal,
  /** The same cost as its bill rounds it, line by line. */
  billed: moneyShape,
  /** In percent of the amount, truncated to one fraction digit. */
  percent: z.number(),
  /** The expected total of the month's bill with its range; null while no forecast is possible. */
  forecast: z.nullable(
    z.strictObject({ expected: exactDecimal, low: exactDecimal, high: exactDecimal, percent: z.number() }),
  ),
  /** The next threshold that the month's cost would reach; null if all are reached. */
  nextThreshold: z.nullable(z.int()),
  /** Notices sent in the current month. */
  told: z.array(z.strictObject({ kind: z.enum(budgetKinds), threshold: z.int(), at: instant })),
  createdAt: instant,
});
export type Budget = z.output<typeof Budget>;

const BudgetList = z.strictObject({
  items: z.array(Budget),
  /** The currency for a budget of all services. */
  currency,
  /** Services that a budget can be set for, with the currency they are priced in. */
  services: z.array(z.strictObject({ id: id('svc'), name: z.string(), currency })),
});

const one = { budgetId: id('bud') };
const user = { roles: ['User'] } as const;
const name = text(80);

export const budgets = contract({
  listBudgets: route({
    method: 'GET',
    path: '/budgets',
    access: { roles: ['User', 'ReadOnly'], apiKey: 'read' },
    isBatchable: true,
    summary: 'List budgets',
    description: 'Your organization’s budgets, with the current month’s cost so far and its forecast.',
    input: noInput,
    output: BudgetList,
  }),
  createBudget: route({
    method: 'POST',
    path: '/budgets',
    access: user,
    status: 201,
    idempotent: true,
    summary: 'Create a budget',
    description:
      'For a month, across all services or for one. Members are notified once a month at each threshold, by actual and by forecast cost.',
    input: z.strictObject({
      name,
      serviceId: z.optional(id('svc')),
      amount: acceptedMoney,
      thresholds: z.optional(thresholds),
    }),
    output: Budget,
  }),
  updateBudget: route({
    method: 'PATCH',
    path: '/budgets/:budgetId',
    access: user,
    summary: 'Update a budget',
    description:
      'Changes its name, amount, or thresholds. After a new amount, members are notified again this month.',
    input: z.strictObject({
      ...one,
      name: z.optional(name),
      amount: z.optional(acceptedMoney),
      thresholds: z.optional(thresholds),
    }),
    output: Budget,
  }),
  deleteBudget: route({
    method: 'DELETE',
    path: '/budgets/:budgetId',
    access: user,
    summary: 'Delete a budget',
    input: z.strictObject(one),
    output: nothing,
  }),
});

export const budgetsErrors = {
  'budgets.not_found': 404,
  'budgets.too_many': 409,
  // Invalid fields: the response names the field (400).
  'budgets.service_not_subscribed': 400,
  'budgets.other_currency': 400,
  'budgets.amount_not_positive': 400,
} as const satisfies ErrorTable;
