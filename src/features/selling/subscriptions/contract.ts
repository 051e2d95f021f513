// Subscriptions: an organization's use of services.
import * as z from 'zod/mini';
import { contract, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  currency,
  exactDecimal,
  id,
  instant,
  moneyShape,
  month,
  optionalText,
  pageOf,
  pageQuery,
  text,
} from '#kernel/shape.ts';
import { chargeCycles, ChargeIdentity, chargeKey, PriceStep } from '#features/selling/rating/contract.ts';
import { billingCycles, ShownQuota, Service } from '#features/selling/catalogue/contract.ts';

/** `scheduled`: an add-on that starts on a future day. */
export const subscriptionStates = [
  'scheduled',
  'active',
  'paused',
  'cancelling',
  'canceled',
  'past_due',
  'suspended',
  'expired',
] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];
/**
 * What a line charges for. `credit`: the refund of the unused rest of a changed plan; `maximum`: the
 * deduction of the excess.
 */
export const chargeKinds = ['base_fee', 'credit', 'one_time', 'usage', 'minimum', 'maximum'] as const;

/**
 * The quantity of a plan: up to six integer and three fraction digits, never zero. The base fee is multiplied
 * by it.
 */
export const planQuantity = z.string().check(z.regex(/^(?=.*[1-9])\d{1,6}(\.\d{1,3})?$/));

/** The quantities of single rate card charges, by key; all others have the plan's quantity. */
export const chargeQuantities = z.record(chargeKey, planQuantity);

/** A scheduled change of plan or quantity. */
export const PendingChange = z.strictObject({
  service: z.pick(Service, { id: true, name: true }),
  quantity: exactDecimal,
  at: instant,
});
/** A pause, current or scheduled; without an end until it is resumed. */
export const Pause = z.strictObject({ from: instant, until: z.nullable(instant) });

/** A subscription with its cost and its usage in the current month. */
export const Subscription = z.strictObject({
  id: id('sub'),
  organizationId: id('org'),
  /** For an add-on, the subscription it was added to. */
  addedTo: z.nullable(z.strictObject({ subscriptionId: id('sub'), serviceName: z.string() })),
  service: z.pick(Service, {
    id: true,
    name: true,
    type: true,
    category: true,
    pricing: true,
    meter: true,
    meterUnits: true,
    billingCycle: true,
    family: true,
  }),
  state: z.enum(subscriptionStates),
  /** The quantity of the plan. */
  quantity: exactDecimal,
  /** The quantity of each rate card charge that has one. */
  quantities: z.optional(z.record(chargeKey, exactDecimal)),
  startedAt: instant,
  endsAt: z.nullable(instant),
  /** Nothing is charged until then; null without a trial. */
  trialEndsAt: z.nullable(instant),
  /**
   * When the term ends and the next one starts: the month, or the year of a yearly plan. Null once it has
   * ended.
   */
  termEndsAt: z.nullable(instant),
  /** Whether the next term starts automatically. */
  autoRenew: z.boolean(),
  pending: z.nullable(PendingChange),
  pause: z.nullable(Pause),
  /** The fixed fee of a term for the whole quantity, as an exact decimal in the pricing's currency. */
  fee: exactDecimal,
  /** The fixed fee of a month: a yearly fee divided by twelve. */
  monthlyFee: exactDecimal,
  quota: ShownQuota,
  /** The usage in the current month. */
  usage: exactDecimal,
  /** When the current month ends and usage counts from zero again. */
  nextReset: instant,
  /** Incremented with every change; a change based on an older version is rejected. */
  version: z.int(),
});
export type Subscription = z.output<typeof Subscription>;

/** An entry of a subscription's history, or a scheduled change. */
export const historyActions = [
  'subscribe',
  'begin',
  'call_off',
  'change',
  'schedule_change',
  'take_back_change',
  'stop',
  'schedule_stop',
  'schedule_start',
  'start',
  'keep_paused',
  'take_back_stop',
  'cancel',
  'cancel_now',
  'take_back_cancel',
  'renew',
  'renew_by_itself',
  'end',
  'expire',
  'past_due',
  'suspend',
  'resume',
] as const;
export type HistoryAction = (typeof historyActions)[number];
export const HistoryEntry = z.strictObject({
  at: instant,
  action: z.enum(historyActions),
  from: z.nullable(z.enum(subscriptionStates)),
  to: z.enum(subscriptionStates),
  /** The actor: a user by name, an operator, or the console itself when a change came due. */
  by: z.strictObject({ kind: z.enum(['person', 'operator', 'system']), name: z.string() }),
  /** The user's reason. */
  reason: z.string(),
  /** The resulting plan and quantity, and the time a decision is for. */
  service: z.nullable(z.string()),
  quantity: z.nullable(z.string()),
  effectiveAt: z.nullable(instant),
});
export type HistoryEntry = z.output<typeof HistoryEntry>;

/** A rate card charge as named on bills. */
export const ChargeName = z.pick(ChargeIdentity, { key: true, name: true });
export type ChargeName = z.output<typeof ChargeName>;

/** A base fee line as on the bill of its month. */
export const FeeLine = z.strictObject({
  kind: z.enum(['base_fee', 'credit', 'one_time']),
  serviceName: z.string(),
  charge: z.optional(ChargeName),
  quantity: exactDecimal,
  unit: z.enum([...chargeCycles, 'once']),
  unitPrice: z.nullable(exactDecimal),
  exact: exactDecimal,
  total: moneyShape,
  steps: z.array(PriceStep),
});
export type FeeLine = z.output<typeof FeeLine>;
export const FeeMonth = z.strictObject({ month, lines: z.array(FeeLine), net: moneyShape });
export type FeeMonth = z.output<typeof FeeMonth>;
/** The base fees on the bills after an action: of the month in which it first counts, and of the next. */
export const FeePreview = z.strictObject({ currency, thisBill: FeeMonth, nextBill: FeeMonth });
export type FeePreview = z.output<typeof FeePreview>;

export const changeDirections = ['upgrade', 'downgrade', 'equal'] as const;
/** The effect of a change: when it takes effect, and the fees on the bills of that month and the next. */
export const ChangePreview = z.strictObject({
  direction: z.enum(changeDirections),
  at: instant,
  /** Whether it takes effect immediately. */
  isNow: z.boolean(),
  currency,
  service: z.pick(Service, { id: true, name: true, billingCycle: true }),
  quantity: exactDecimal,
  quantities: z.optional(z.record(chargeKey, exactDecimal)),
  thisBill: FeeMonth,
  nextBill: FeeMonth,
  /** The subscription's version; sent back with the change, so that a concurrent change is detected. */
  version: z.int(),
});
export type ChangePreview = z.output<typeof ChangePreview>;

/**
 * The add-ons of a subscription: its past and current ones, and the services that can be added, at its
 * organization's prices.
 */
export const AddOns = z.strictObject({ items: z.array(Subscription), offers: z.array(Service) });

/** A plan that a subscription can change to. */
export const Plan = z.strictObject({
  service: z.pick(Service, {
    id: true,
    name: true,
    description: true,
    pricing: true,
    meter: true,
    meterUnits: true,
    billingCycle: true,
    quota: true,
    features: true,
    releaseState: true,
  }),
  isCurrent: z.boolean(),
  monthlyFee: exactDecimal,
  /** Compared with the current plan, for the same quantity. */
  direction: z.enum(changeDirections),
});
export type Plan = z.output<typeof Plan>;

const readable = { roles: ['User', 'ReadOnly'], apiKey: 'read' } as const;
const user = { roles: ['User'] } as const;
const admin = { roles: ['Admin'] } as const;
const one = z.strictObject({ subscriptionId: id('sub') });
const reason = z.optional(optionalText(300));
const version = z.optional(z.int());
const change = {
  serviceId: z.optional(id('svc')),
  quantity: z.optional(planQuantity),
  quantities: z.optional(chargeQuantities),
  when: z.optional(z.enum(['now', 'end'])),
};
const order = {
  serviceId: id('svc'),
  quantity: z.optional(planQuantity),
  quantities: z.optional(chargeQuantities),
  acceptBeta: z.optional(z.boolean()),
  autoRenew: z.optional(z.boolean()),
};
const added = {
  ...one.shape,
  serviceId: id('svc'),
  quantity: z.optional(planQuantity),
  quantities: z.optional(chargeQuantities),
  acceptBeta: z.optional(z.boolean()),
  /**
   * When it starts; by default now. Until a future start it is `scheduled`: nothing is charged or counted,
   * and cancelling calls it off.
   */
  startedAt: z.optional(instant),
  /** When it ends; by default until further notice, but never later than the subscription. */
  endsAt: z.optional(instant),
};
const listed = {
  ...pageQuery,
  state: z.optional(z.enum(subscriptionStates)),
  billingCycle: z.optional(z.enum(billingCycles)),
};

export const subscriptions = contract({
  listSubscriptions: route({
    method: 'GET',
    path: '/subscriptions',
    access: readable,
    isBatchable: true,
    expand: {
      quotas: '/usage/quotas',
      cover: '/credits/cover',
    },
    summary: 'List your subscriptions',
    input: z.strictObject(listed),
    output: pageOf(Subscription),
  }),
  getSubscription: route({
    method: 'GET',
    path: '/subscriptions/:subscriptionId',
    access: readable,
    expand: {
      history: '/subscriptions/:subscriptionId/history',
      addOns: '/subscriptions/:subscriptionId/add-ons',
      billLines: '/subscriptions/:subscriptionId/bill-lines',
      entitlement: '/usage/entitlements/:subscriptionId',
    },
    summary: 'Get a subscription',
    input: one,
    output: Subscription,
  }),
  subscribe: route({
    method: 'POST',
    path: '/subscriptions',
    access: user,
    status: 201,
    idempotent: true,
    summary: 'Subscribe to a service',
    description: 'A service in beta must be accepted as such.',
    input: z.strictObject({
      ...order,
      /** A discount that the subscription starts with; a refused code rejects the subscription. */
      promoCode: z.optional(text(80)),
    }),
    output: Subscription,
  }),
  previewSubscribe: route({
    method: 'POST',
    path: '/subscriptions/preview',
    access: user,
    summary: 'Preview a subscription',
    description: 'The base fees on the first two bills. Refused like the subscription. Changes nothing.',
    input: z.strictObject(z.omit(z.strictObject(order), { acceptBeta: true }).shape),
    output: FeePreview,
  }),
  listPlans: route({
    method: 'GET',
    path: '/subscriptions/:subscriptionId/plans',
    access: readable,
    summary: 'List available plans',
    description: 'The plans in the same family that the subscription can change to, and its current one.',
    input: one,
    output: z.strictObject({ items: z.array(Plan) }),
  }),
  previewChange: route({
    method: 'POST',
    path: '/subscriptions/:subscriptionId/change/preview',
    access: user,
    summary: 'Preview a plan change',
    description: 'The lines that the bills will have after a change of plan or quantity. Changes nothing.',
    input: z.strictObject({ ...one.shape, ...change }),
    output: ChangePreview,
  }),
  change: route({
    method: 'POST',
    path: '/subscriptions/:subscriptionId/change',
    access: user,
    idempotent: true,
    summary: 'Change plan or quantity',
    description:
      'Upgrades take effect immediately, downgrades at the end of the term; `"end"` defers either. With `previewedAt`, the `at` of a preview from the last few minutes, the change takes effect as of then, so what was shown is what’s charged.',
    input: z.strictObject({
      ...one.shape,
      ...change,
      acceptBeta: z.optional(z.boolean()),
      reason,
      version,
      previewedAt: z.optional(instant),
    }),
    output: Subscription,
  }),
  takeBackChange: route({
    method: 'DELETE',
    path: '/subscriptions/:subscriptionId/change',
    access: user,
    summary: 'Cancel a scheduled change',
    input: one,
    output: Subscription,
  }),
  cancel: route({
    method: 'POST',
    path: '/subscriptions/:subscriptionId/cancel',
    access: user,
    summary: 'Cancel a subscription',
    description:
      'At the end of the term (or trial), or now. Until the end, start takes the cancellation back. A subscription that hasn’t begun is called off immediately.',
    input: z.strictObject({ ...one.shape, when: z.optional(z.enum(['now', 'end'])), reason, version }),
    output: Subscription,
  }),
  previewCancel: route({
    method: 'POST',
    path: '/subscriptions/:subscriptionId/cancel/preview',
    access: user,
    summary: 'Preview a cancellation',
    description:
      'The base fees on the bills of the month in which it ends and of the next. Refused like the cancellation. Changes nothing.',
    input: z.strictObject({ ...one.shape, when: z.optional(z.enum(['now', 'end'])) }),
    output: FeePreview,
  }),
  stop: route({
    method: 'POST',
    path: '/subscriptions/:subscriptionId/stop',
    access: user,
    summary: 'Pause a subscription',
    description:
      'Now or at a given time, until a given time or until it’s started. While paused, there’s no base fee and usage isn’t accepted.',
    input: z.strictObject({
      ...one.shape,
      at: z.optional(instant),
      resumeAt: z.optional(instant),
      reason,
      version,
    }),
    output: Subscription,
  }),
  previewStop: route({
    method: 'POST',
    path: '/subscriptions/:subscriptionId/stop/preview',
    access: user,
    summary: 'Preview a pause',
    description:
      'The base fees on the bills of the month in which it begins and of the next. Refused like the pause. Changes nothing.',
    input: z.strictObject({ ...one.shape, at: z.optional(instant), resumeAt: z.optional(instant) }),
    output: FeePreview,
  }),
  start: route({
    method: 'POST',
    path: '/subscriptions/:subscriptionId/start',
    access: user,
    summary: 'Start a subscription',
    description:
      'Takes back a cancellation or planned pause, or resumes a paused subscription, now or at a given time.',
    input: z.strictObject({ ...one.shape, at: z.optional(instant), reason, version }),
    output: Subscription,
  }),
  renew: route({
    method: 'POST',
    path: '/subscriptions/:subscriptionId/renew',
    access: user,
    idempotent: true,
    summary: 'Renew a subscription',
    description:
      'Adds one more term after the current one, which can be done once per term. An expired subscription starts a new term now.',
    input: z.strictObject({
      ...one.shape,
      autoRenew: z.optional(z.boolean()),
      termEndsAt: z.optional(instant),
      reason,
    }),
    output: Subscription,
  }),
  previewRenew: route({
    method: 'POST',
    path: '/subscriptions/:subscriptionId/renew/preview',
    access: user,
    summary: 'Preview a renewal',
    description:
      'The base fees on the bills of the month in which the next term begins and of the one after. Refused like the renewal. Changes nothing.',
    input: z.strictObject({
      ...one.shape,
      autoRenew: z.optional(z.boolean()),
      termEndsAt: z.optional(instant),
    }),
    output: FeePreview,
  }),
  history: route({
    method: 'GET',
    path: '/subscriptions/:subscriptionId/history',
    access: readable,
    summary: 'List a subscription’s history',
    description: 'What happened, when, by whom, and why, newest first.',
    input: one,
    output: z.strictObject({ items: z.array(HistoryEntry) }),
  }),
  listAddOns: route({
    method: 'GET',
    path: '/subscriptions/:subscriptionId/add-ons',
    access: readable,
    summary: 'List a subscription’s add-ons',
    description: 'Current and ended add-ons, and what can be added.',
    input: one,
    output: AddOns,
  }),
  addAddOn: route({
    method: 'POST',
    path: '/subscriptions/:subscriptionId/add-ons',
    access: user,
    status: 201,
    idempotent: true,
    summary: 'Add an add-on',
    description:
      'Adds a service to a subscription, now or from a later time. The add-on is a subscription of its own that ends with this one at the latest. Usage sent for this one also feeds its meters.',
    input: z.strictObject(added),
    output: Subscription,
  }),
  previewAddOn: route({
    method: 'POST',
    path: '/subscriptions/:subscriptionId/add-ons/preview',
    access: user,
    summary: 'Preview an add-on',
    description: 'The base fees on its first two bills. Refused like the add-on. Changes nothing.',
    input: z.strictObject(z.omit(z.strictObject(added), { acceptBeta: true }).shape),
    output: FeePreview,
  }),
  adminListAddOns: route({
    method: 'GET',
    path: '/admin/subscriptions/:subscriptionId/add-ons',
    access: admin,
    summary: 'List any subscription’s add-ons',
    description: 'Includes what can be added.',
    input: one,
    output: AddOns,
  }),
  adminAddAddOn: route({
    method: 'POST',
    path: '/admin/subscriptions/:subscriptionId/add-ons',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Add an add-on to any subscription',
    description: 'It can start in the past, as long as no usage has come since that it would have counted.',
    input: z.strictObject(added),
    output: Subscription,
  }),
  adminListSubscriptions: route({
    method: 'GET',
    path: '/admin/subscriptions',
    access: admin,
    summary: 'List all subscriptions',
    description: 'Those of one organization or of all.',
    input: z.strictObject({ ...listed, organizationId: z.optional(id('org')) }),
    output: pageOf(Subscription),
  }),
  adminSubscribe: route({
    method: 'POST',
    path: '/admin/subscriptions',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Subscribe an organization',
    description: 'The start can be in the past, for customers who come from another system.',
    input: z.strictObject({ ...order, organizationId: id('org'), startedAt: z.optional(instant) }),
    output: Subscription,
  }),
  adminSubscriptionHistory: route({
    method: 'GET',
    path: '/admin/subscriptions/:subscriptionId/history',
    access: admin,
    summary: 'List any subscription’s history',
    input: one,
    output: z.strictObject({ items: z.array(HistoryEntry) }),
  }),
});

export const subscriptionsErrors = {
  'subscriptions.not_found': 404,
  'subscriptions.service_not_available': 409,
  'subscriptions.beta_not_accepted': 409,
  'subscriptions.already_subscribed': 409,
  'subscriptions.too_often': 409,
  'subscriptions.transition_refused': 409,
  'subscriptions.changed_meanwhile': 409,
  'subscriptions.change_pending': 409,
  'subscriptions.no_pending_change': 409,
  'subscriptions.charge_unknown': 422,
  'subscriptions.same_plan': 409,
  'subscriptions.preview_over': 409,
  'subscriptions.renews_itself': 409,
  'subscriptions.term_fixed': 409,
  'subscriptions.organization_suspended': 409,
  'subscriptions.start_in_future': 422,
  'subscriptions.add_on_only': 409,
  'subscriptions.add_on_of_add_on': 409,
  'subscriptions.add_on_follows': 409,
  'subscriptions.paused_by_seller': 409,
  'subscriptions.organization_not_found': 404,
  // Invalid fields: the response names the field (400).
  'subscriptions.not_addable': 400,
  'subscriptions.add_on_before_start': 400,
  'subscriptions.add_on_in_past': 400,
  'subscriptions.begin_in_closed_month': 400,
  'subscriptions.add_on_after_end': 400,
  'subscriptions.end_before_start': 400,
  'subscriptions.usage_not_counted': 400,
  'subscriptions.end_in_past': 400,
  'subscriptions.plan_not_found': 400,
  'subscriptions.plan_not_available': 400,
  'subscriptions.plan_taken': 400,
  'subscriptions.other_family': 400,
  'subscriptions.other_currency': 400,
  'subscriptions.other_meter': 400,
  'subscriptions.downgrade_waits': 400,
  'subscriptions.undivided_waits': 400,
  'subscriptions.undivided_until': 400,
  'subscriptions.pause_in_past': 400,
  'subscriptions.pause_after_end': 400,
  'subscriptions.resume_in_past': 400,
  'subscriptions.resume_before_pause': 400,
  'subscriptions.resume_after_end': 400,
} as const satisfies ErrorTable;

export const subscriptionsPaths = {
  overview: '/service/overview',
  management: '/cloud-service/management',
} as const;
