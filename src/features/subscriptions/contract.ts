// Subscriptions: an organization's use of services.
import * as z from 'zod/mini';
import { contract, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/refusal.ts';
import { decimalWire, id, instant, pageOf, pageQuery } from '#kernel/shape.ts';
import { Quota, Service } from '#features/catalogue/contract.ts';

export const subscriptionStates = ['active', 'paused', 'cancelling', 'canceled', 'past_due', 'suspended', 'expired'] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

/** A subscription with what it costs and what of it is used in the running month. */
export const Subscription = z.strictObject({
  id: id('sub'),
  organizationId: id('org'),
  service: z.pick(Service, { id: true, name: true, type: true, category: true, pricing: true, meter: true, billingCycle: true }),
  state: z.enum(subscriptionStates),
  startedAt: instant,
  endsAt: z.nullable(instant),
  /** The fixed fee of a month, as a decimal in the pricing's currency. */
  monthlyFee: decimalWire,
  quota: Quota,
  /** What is used in the running month. */
  usage: decimalWire,
  /** When the running month ends and usage counts from zero again. */
  nextReset: instant,
});
export type Subscription = z.output<typeof Subscription>;

const readable = { roles: ['User', 'ReadOnly'], apiKey: 'read' } as const;
const user = { roles: ['User'] } as const;
const one = z.strictObject({ subscriptionId: id('sub') });

export const subscriptions = contract({
  listSubscriptions: route({ method: 'GET', path: '/subscriptions', access: readable, summary: 'The own organization’s subscriptions.', input: z.strictObject({ ...pageQuery, state: z.optional(z.enum(subscriptionStates)) }), output: pageOf(Subscription) }),
  getSubscription: route({ method: 'GET', path: '/subscriptions/:subscriptionId', access: readable, summary: 'One subscription.', input: one, output: Subscription }),
  subscribe: route({ method: 'POST', path: '/subscriptions', access: user, status: 201, idempotent: true, summary: 'Subscribes to a service.', input: z.strictObject({ serviceId: id('svc') }), output: Subscription }),
  cancel: route({ method: 'POST', path: '/subscriptions/:subscriptionId/cancel', access: user, summary: 'Ends at the end of the month; can be taken back with start until then.', input: one, output: Subscription }),
  stop: route({ method: 'POST', path: '/subscriptions/:subscriptionId/stop', access: user, summary: 'Pauses: no base fee, no usage accepted.', input: one, output: Subscription }),
  start: route({ method: 'POST', path: '/subscriptions/:subscriptionId/start', access: user, summary: 'Resumes a paused subscription, or takes a cancellation back.', input: one, output: Subscription }),
  adminListSubscriptions: route({ method: 'GET', path: '/admin/subscriptions', access: { roles: ['Admin'] }, summary: 'Subscriptions of one organization or of all.', input: z.strictObject({ ...pageQuery, organizationId: z.optional(id('org')), state: z.optional(z.enum(subscriptionStates)) }), output: pageOf(Subscription) }),
  adminSubscribe: route({ method: 'POST', path: '/admin/subscriptions', access: { roles: ['Admin'] }, status: 201, idempotent: true, summary: 'Subscribes an organization; the start may lie in the past for customers who come from elsewhere.', input: z.strictObject({ organizationId: id('org'), serviceId: id('svc'), startedAt: z.optional(instant) }), output: Subscription }),
});

export const subscriptionsErrors = {
  'subscriptions.not_found': 404,
  'subscriptions.service_not_available': 409,
  'subscriptions.already_subscribed': 409,
  'subscriptions.transition_refused': 409,
  'subscriptions.start_in_future': 422,
  'subscriptions.organization_not_found': 404,
} as const satisfies ErrorTable;


export const subscriptionsPaths = { overview: '/service/overview', management: '/cloud-service/management' } as const;
