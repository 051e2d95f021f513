// Planning: what-if calculations from real usage. None of its routes changes anything.
import * as z from 'zod/mini';
import { contract, file, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { currency, exactDecimal, id, instant, moneyShape, month } from '#kernel/shape.ts';
import { exportFormats, Pricing, releaseStates } from '#features/selling/catalogue/contract.ts';
import { ContractToSimulate, SimulatedContract } from './contract-terms.ts';

/** The maximum number of months in one rehearsal. */
export const maxMonths = 12;
/** How many months plan comparisons and estimates look back. */
export const lookBack = 6;

/** Actual and hypothetical cost: sums of lines that are rounded as on a bill. */
const change = {
  before: moneyShape,
  after: moneyShape,
  difference: moneyShape,
  /** In percent of the actual cost; null if that is zero. */
  percent: z.nullable(z.number()),
};
const Change = z.strictObject(change);
export type Change = z.output<typeof Change>;
/** The same with the exact sums before rounding. */
const difference = {
  ...change,
  exactBefore: exactDecimal,
  exactAfter: exactDecimal,
  exactDifference: exactDecimal,
};
const Difference = z.strictObject(difference);
export type Difference = z.output<typeof Difference>;

/** How many customers would have paid more, less or the same; the three add up to all customers. */
const counts = { more: z.int(), less: z.int(), same: z.int() };
export const Counts = z.strictObject(counts);
export type Counts = z.output<typeof Counts>;

export const warningCodes = [
  'other_currency',
  'agreed_price',
  'late_usage',
  'events_gone',
  'levels_unknown',
] as const;
export const Warning = z.strictObject({
  /**
   * other_currency: was priced in another currency and is left out. agreed_price: has its own price, so
   * nothing changes. late_usage: usage may still arrive. For meters that start with the price, past usage is
   * computed from events: events_gone: the events are no longer stored. levels_unknown: a level cannot be
   * computed, so its charge is left out.
   */
  code: z.enum(warningCodes),
  /** The number of subscription months affected. */
  count: z.int(),
});
export type Warning = z.output<typeof Warning>;

export const AffectedOrganization = z.strictObject({
  organizationId: id('org'),
  name: z.string(),
  ...change,
  months: z.array(z.strictObject({ month, before: moneyShape, after: moneyShape })),
});
export type AffectedOrganization = z.output<typeof AffectedOrganization>;

/** The last closed months' real usage, priced with a price that is not published yet. */
export const Rehearsal = z.strictObject({
  serviceId: id('svc'),
  currency,
  asOf: instant,
  months: z.array(month),
  subscriptions: z.int(),
  /** Customers with at least one month. */
  organizations: z.int(),
  counts: Counts,
  total: Difference,
  byMonth: z.array(z.strictObject({ month, counts: Counts, ...difference })),
  /** The most affected, by absolute difference; the export has the whole list. */
  affected: z.array(AffectedOrganization),
  warnings: z.array(Warning),
});
export type Rehearsal = z.output<typeof Rehearsal>;

/** One month of the organization's own usage. */
const OwnMonth = z.strictObject({ month, quantity: exactDecimal, serviceNames: z.array(z.string()) });
/** `same`: from this service; `family`: from services of its family with the same unit. */
export const OwnUsage = z.strictObject({
  unit: z.string(),
  from: z.enum(['same', 'family', 'none']),
  months: z.array(OwnMonth),
});
export type OwnUsage = z.output<typeof OwnUsage>;

/** What a plan would have cost. */
export const PlanCost = z.strictObject({
  serviceId: id('svc'),
  serviceName: z.string(),
  releaseState: z.enum(releaseStates),
  total: moneyShape,
  monthly: z.array(z.strictObject({ month, quantity: exactDecimal, amount: moneyShape })),
  /** The average monthly saving compared with the current plan; negative for an additional cost. */
  savingPerMonth: moneyShape,
});
export type PlanCost = z.output<typeof PlanCost>;
export const PlanFit = z.strictObject({
  subscriptionId: id('sub'),
  unit: z.string(),
  /** Complete months with this subscription, oldest first; empty for one that started this month. */
  months: z.array(month),
  current: PlanCost,
  /** The other plans of the family, cheapest first; empty without a family. */
  plans: z.array(PlanCost),
});
export type PlanFit = z.output<typeof PlanFit>;

const rehearsed = { serviceId: id('svc'), pricing: Pricing, from: z.optional(month), to: z.optional(month) };
const admin = { roles: ['Admin'] } as const;

export const planning = contract({
  simulate: route({
    method: 'POST',
    path: '/admin/services/:serviceId/simulate',
    access: admin,
    atOnce: 2,
    perMinute: 60,
    summary: 'Simulate pricing',
    description:
      'What the actual usage of closed months (by default the last three, at most twelve) would have cost with this pricing.',
    input: z.strictObject(rehearsed),
    output: Rehearsal,
  }),
  exportSimulation: route({
    method: 'POST',
    path: '/admin/services/:serviceId/simulate/export',
    access: admin,
    atOnce: 2,
    perMinute: 30,
    summary: 'Export a pricing simulation',
    description: 'The simulation for every customer, as a table.',
    input: z.strictObject({ ...rehearsed, format: z.enum(exportFormats) }),
    output: file,
  }),
  ownUsage: route({
    method: 'GET',
    path: '/services/:serviceId/own-usage',
    access: { roles: ['User'] },
    summary: 'Get your past usage of a service',
    description:
      'Your complete months (up to six, newest first) in this service or its family, as a starting point for an estimate.',
    input: z.strictObject({ serviceId: id('svc') }),
    output: OwnUsage,
  }),
  planFit: route({
    method: 'GET',
    path: '/subscriptions/:subscriptionId/plan-fit',
    access: { roles: ['User', 'ReadOnly'] },
    summary: 'Compare plans',
    description:
      'What the family’s other plans would have cost in the last six months with the same usage, cheapest first.',
    input: z.strictObject({ subscriptionId: id('sub') }),
    output: PlanFit,
  }),
  simulateContract: route({
    method: 'POST',
    path: '/admin/billing/contract-simulation',
    access: admin,
    long: true,
    atOnce: 1,
    summary: 'Simulate contract terms',
    description:
      'What an organization’s latest closed months would have come to on proposed terms, next to what was billed. Its current terms don’t count.',
    input: ContractToSimulate,
    output: SimulatedContract,
  }),
});

export const planningErrors = {
  'planning.service_not_found': 404,
  'planning.subscription_not_found': 404,
  'planning.start_after_end': 422,
  'planning.too_many_months': 422,
  'planning.month_not_over': 422,
  'planning.too_many_entries': 400,
  'planning.services_missing': 400,
  'planning.service_unknown': 400,
  'planning.charges_missing': 400,
  'planning.charge_unknown': 400,
  'planning.charge_of_other_service': 400,
  'planning.discount_unclear': 400,
  'planning.maximum_of_percent': 400,
  'planning.percent_out_of_range': 400,
  'planning.paid_recurs': 400,
  'planning.rollover_of_monthly': 400,
  'planning.currency_differs': 400,
  'planning.amount_not_positive': 400,
  'planning.amount_too_large': 400,
  'planning.growth_out_of_range': 400,
} as const satisfies ErrorTable;
