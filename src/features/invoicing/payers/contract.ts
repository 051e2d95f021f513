// Payers: organizations that pay for others, month by month.
import * as z from 'zod/mini';
import { contract, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant, month, pageOf, pageQuery } from '#kernel/shape.ts';

export const payerStates = ['planned', 'current', 'ended'] as const;

/** An organization that pays for another in some months. */
export const PayerSpan = z.strictObject({
  id: id('opy'),
  /** The organization that uses the services. */
  organizationId: id('org'),
  organization: z.string(),
  /** The organization that gets the bills. */
  payerId: id('org'),
  payer: z.string(),
  from: month,
  /** The last month; null if no end is set. */
  until: z.nullable(month),
  /** In the current month of the organization that uses the services. */
  state: z.enum(payerStates),
  /**
   * The month from which the payer gets one consolidated bill a month; null: separate bills. For past spans,
   * as of their last month.
   */
  consolidatedFrom: z.nullable(month),
  setBy: z.string(),
  setAt: instant,
});
export type PayerSpan = z.output<typeof PayerSpan>;

/** An organization that pays for one subscription of another in some months, whoever pays for the rest. */
export const SubscriptionPayerSpan = z.strictObject({
  id: id('spy'),
  subscriptionId: id('sub'),
  service: z.string(),
  /** The organization that uses it. */
  organizationId: id('org'),
  organization: z.string(),
  /** The organization that gets its bills. */
  payerId: id('org'),
  payer: z.string(),
  from: month,
  /** The last month; null if no end is set. */
  until: z.nullable(month),
  /** In the current month of the organization that uses it. */
  state: z.enum(payerStates),
  setBy: z.string(),
  setAt: instant,
});
export type SubscriptionPayerSpan = z.output<typeof SubscriptionPayerSpan>;

const other = z.strictObject({ organization: z.string(), from: month, until: z.nullable(month) });
/** Who pays for the caller's organization, and for whom it pays: current and scheduled, without past ones. */
export const OwnPayers = z.strictObject({
  paidBy: z.array(other),
  paysFor: z.array(other),
  /** The same for single subscriptions: its own that others pay for, and others' that it pays for. */
  subscriptions: z.strictObject({
    paidBy: z.array(z.extend(other, { subscriptionId: id('sub'), service: z.string() })),
    paysFor: z.array(z.extend(other, { service: z.string() })),
  }),
});
export type OwnPayers = z.output<typeof OwnPayers>;

const admin = { roles: ['Admin'] } as const;
export const payers = contract({
  listPayers: route({
    method: 'GET',
    path: '/admin/payers',
    access: admin,
    isBatchable: true,
    summary: 'List payers',
    description: 'Which organizations pay for others, and in which months.',
    input: z.strictObject(pageQuery),
    output: pageOf(PayerSpan),
  }),
  setPayer: route({
    method: 'PUT',
    path: '/admin/payers',
    access: admin,
    summary: 'Set an organization’s payer',
    description:
      'From the given month. With null, it pays for itself. Issued bills stay, and what was set for later months is replaced.',
    input: z.strictObject({ organizationId: id('org'), payerId: z.nullable(id('org')), from: month }),
    output: nothing,
  }),
  listSubscriptionPayers: route({
    method: 'GET',
    path: '/admin/payers/subscriptions',
    access: admin,
    isBatchable: true,
    summary: 'List subscription payers',
    description: 'Which organizations pay for single subscriptions of others, and in which months.',
    input: z.strictObject({ ...pageQuery, subscriptionId: z.optional(id('sub')) }),
    output: pageOf(SubscriptionPayerSpan),
  }),
  setSubscriptionPayer: route({
    method: 'PUT',
    path: '/admin/payers/subscriptions',
    access: admin,
    summary: 'Set a subscription’s payer',
    description:
      'From the given month. With null, whoever pays for its organization pays. The organization’s discounts, commitments, and credit apply only to what it or its own payer pays. Issued bills stay, and what was set for later months is replaced.',
    input: z.strictObject({ subscriptionId: id('sub'), payerId: z.nullable(id('org')), from: month }),
    output: nothing,
  }),
  setPayerBilling: route({
    method: 'PUT',
    path: '/admin/payers/billing',
    access: admin,
    summary: 'Set consolidated billing',
    description:
      'Whether an organization gets one consolidated bill a month, for its own bills and those it pays for others, from the given month. Issued bills stay, and what was set for later months is replaced.',
    input: z.strictObject({ organizationId: id('org'), isConsolidated: z.boolean(), from: month }),
    output: nothing,
  }),
  ownPayers: route({
    method: 'GET',
    path: '/payers',
    access: { roles: ['User', 'ReadOnly'], apiKey: 'read' },
    isBatchable: true,
    summary: 'Get your payers',
    description: 'Who pays for your organization and its subscriptions, and whom it pays for.',
    input: z.strictObject({}),
    output: OwnPayers,
  }),
});

export const payersErrors = {
  // Errors of fields.
  'payers.organization_not_found': 404,
  'payers.subscription_not_found': 404,
  'payers.payer_not_found': 404,
  'payers.itself': 400,
  'payers.uses_it': 400,
  'payers.pays_anyway': 409,
  'payers.payer_closed': 409,
  'payers.payer_has_payer': 409,
  'payers.organization_pays': 409,
  'payers.organization_resold': 409,
  'payers.subscriptions_paid': 409,
  'payers.needs_credit': 409,
  'payers.service_paid': 409,
  'payers.plan_needs_credit': 409,
  'payers.month_too_early': 400,
  'payers.month_too_late': 400,
  'payers.month_billed': 409,
} as const satisfies ErrorTable;
