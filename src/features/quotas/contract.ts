// Quotas: how much of a limit is used, and what happens near it.
import * as z from 'zod/mini';
import { contract, noInput, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/refusal.ts';
import { day, decimalWire, id, instant } from '#kernel/shape.ts';

export const quotaStatuses = ['Normal', 'Warning', 'Critical'] as const;
export type QuotaStatus = (typeof quotaStatuses)[number];

export const QuotaState = z.strictObject({
  subscriptionId: id('sub'),
  serviceName: z.string(),
  unit: z.string(),
  type: z.enum(['soft', 'hard']),
  used: decimalWire,
  limit: decimalWire,
  /** Used share of the limit in percent, one fraction digit. */
  percent: z.number(),
  status: z.enum(quotaStatuses),
  /** The day on which the present pace uses the limit up, when that is before the reset. */
  runsOutOn: z.nullable(day),
  resetsAt: instant,
});
export type QuotaState = z.output<typeof QuotaState>;

export const QuotaList = z.strictObject({
  /** Worst first. Empty when no subscription has a limit. */
  items: z.array(QuotaState),
  averagePercent: z.nullable(z.number()),
  warningPercent: z.number(),
  criticalPercent: z.number(),
});
export type QuotaList = z.output<typeof QuotaList>;

export const quotas = contract({
  listQuotas: route({ method: 'GET', path: '/usage/quotas', access: { roles: ['User', 'ReadOnly'], apiKey: 'read' }, summary: 'Quota state of every subscription with a limit, worst first.', input: noInput, output: QuotaList }),
  entitlement: route({
    method: 'GET', path: '/usage/entitlements/:subscriptionId', access: { roles: ['User'], apiKey: ['metering', 'read'] }, summary: 'Whether a subscription may be used further now.',
    input: z.strictObject({ subscriptionId: id('sub') }),
    output: z.strictObject({ allowed: z.boolean(), used: decimalWire, limit: z.nullable(decimalWire), remaining: z.nullable(decimalWire), resetsAt: instant }),
  }),
});

export const quotasErrors = { 'quotas.subscription_not_found': 404 } as const satisfies ErrorTable;
