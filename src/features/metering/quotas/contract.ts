// Quotas: how much of a limit is used and reserved, and how the limit is raised.
import * as z from 'zod/mini';
import { contract, noInput, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  day,
  exactDecimal,
  id,
  instant,
  optionalText,
  pageOf,
  pageQuery,
  text,
  unsignedDecimal,
} from '#kernel/shape.ts';

export const quotaStatuses = ['Normal', 'Warning', 'Critical'] as const;
export type QuotaStatus = (typeof quotaStatuses)[number];

export const raiseStates = ['open', 'granted', 'declined', 'withdrawn'] as const;
export type RaiseState = (typeof raiseStates)[number];

/** A request for a higher limit, with its decision. */
const raise = {
  id: id('rai'),
  subscriptionId: id('sub'),
  serviceName: z.string(),
  unit: z.string(),
  state: z.enum(raiseStates),
  limit: exactDecimal,
  reason: z.string(),
  /** Usage and limit at the time of the request. */
  usedThen: exactDecimal,
  limitThen: exactDecimal,
  askedAt: instant,
  askedBy: z.string(),
  grantedLimit: z.nullable(exactDecimal),
  answer: z.string(),
  decidedAt: z.nullable(instant),
  /**
   * The name of the Admin who decided; null for customers, who do not see the names of the provider's staff.
   */
  decidedBy: z.nullable(z.string()),
};
export const Raise = z.strictObject(raise);
export type Raise = z.output<typeof Raise>;
/** A request as an Admin sees it, with its organization and the current usage. */
export const AdminRaise = z.strictObject({
  ...raise,
  organizationId: id('org'),
  organization: z.string(),
  type: z.enum(['unlimited', 'soft', 'hard']),
  usedNow: exactDecimal,
  limitNow: z.nullable(exactDecimal),
});
export type AdminRaise = z.output<typeof AdminRaise>;

export const QuotaState = z.strictObject({
  subscriptionId: id('sub'),
  serviceName: z.string(),
  unit: z.string(),
  type: z.enum(['soft', 'hard']),
  used: exactDecimal,
  /** The additional quantity held by reservations; percentage and status count it too. */
  reserved: exactDecimal,
  limit: exactDecimal,
  /** Used and reserved share of the limit in percent, one fraction digit. */
  percent: z.number(),
  status: z.enum(quotaStatuses),
  /** The day on which the current pace uses up the limit, if that is before the reset. */
  runsOutOn: z.nullable(day),
  resetsAt: instant,
  /** The pending request for a higher limit. */
  raise: z.nullable(z.strictObject({ id: id('rai'), limit: exactDecimal, askedAt: instant })),
});
export type QuotaState = z.output<typeof QuotaState>;

export const QuotaList = z.strictObject({
  /** Worst first. Empty if no subscription has a limit. */
  items: z.array(QuotaState),
  averagePercent: z.nullable(z.number()),
  warningPercent: z.number(),
  criticalPercent: z.number(),
});
export type QuotaList = z.output<typeof QuotaList>;

const positive = unsignedDecimal.check(z.refine((typed) => /[1-9]/.test(typed)));
const subscription = { subscriptionId: id('sub') };
/** The remaining quantity after a call; null without a limit. */
const remaining = z.nullable(exactDecimal);
export const Reservation = z.strictObject({
  id: id('res'),
  quantity: exactDecimal,
  remaining,
  expiresAt: instant,
});
/** An active reservation as its organization sees it; `reference` is chosen by the client that created it. */
export const HeldReservation = z.strictObject({
  id: id('res'),
  quantity: exactDecimal,
  reference: z.string(),
  createdAt: instant,
  expiresAt: instant,
});
export type HeldReservation = z.output<typeof HeldReservation>;
/** How a reservation ended: `quantity` is the used part, zero if it was released. */
export const EndedReservation = z.strictObject({ id: id('res'), quantity: exactDecimal, remaining });

/** How many seconds a reservation stays active; a minute by default. */
export const ttlSeconds = { initial: 60, longest: 86_400 } as const;

const metering = { roles: [], apiKey: 'metering' } as const;
const member = { roles: ['User', 'ReadOnly'], apiKey: 'read' } as const;
const user = { roles: ['User'] } as const;
const admin = { roles: ['Admin'] } as const;
const oneRaise = { raiseId: id('rai') };

export const quotas = contract({
  listQuotas: route({
    method: 'GET',
    path: '/usage/quotas',
    access: member,
    isBatchable: true,
    summary: 'List quotas',
    description: 'The quota status of every subscription with a limit, worst first.',
    input: noInput,
    output: QuotaList,
  }),
  entitlement: route({
    method: 'GET',
    path: '/usage/entitlements/:subscriptionId',
    access: { roles: ['User'], apiKey: ['metering', 'read'] },
    summary: 'Check an entitlement',
    description: 'Whether a subscription can be used further now. Reserved units don’t count as remaining.',
    input: z.strictObject(subscription),
    output: z.strictObject({
      allowed: z.boolean(),
      used: exactDecimal,
      limit: z.nullable(exactDecimal),
      remaining,
      resetsAt: instant,
    }),
  }),
  reserve: route({
    method: 'POST',
    path: '/usage/entitlements/:subscriptionId/reservations',
    access: metering,
    status: 201,
    idempotent: true,
    summary: 'Reserve quota',
    description:
      'Holds part of the limit before it’s used. A hard limit is never exceeded: what remains is given to only one caller.',
    input: z.strictObject({
      ...subscription,
      quantity: positive,
      ttlSeconds: z.optional(z.int().check(z.minimum(1), z.maximum(ttlSeconds.longest))),
      reference: z.optional(optionalText(200)),
    }),
    output: Reservation,
  }),
  listReservations: route({
    method: 'GET',
    path: '/usage/entitlements/:subscriptionId/reservations',
    access: { roles: ['User', 'ReadOnly'], apiKey: ['metering', 'read'] },
    summary: 'List reservations',
    description: 'What’s currently held of a subscription’s limit, the first to expire on top. Up to 200.',
    input: z.strictObject(subscription),
    output: z.strictObject({ items: z.array(HeldReservation), unit: z.string(), total: z.int() }),
  }),
  commitReservation: route({
    method: 'POST',
    path: '/usage/reservations/:reservationId/commit',
    access: metering,
    summary: 'Commit a reservation',
    description:
      'Records what was used (all of it by default) as usage and returns the rest. `data` is stored with it like an event’s data. An expired reservation is committed if the limit still allows it. Safe to repeat.',
    input: z.strictObject({
      reservationId: id('res'),
      quantity: z.optional(positive),
      data: z.optional(z.record(z.string(), z.unknown())),
    }),
    output: EndedReservation,
  }),
  releaseReservation: route({
    method: 'POST',
    path: '/usage/reservations/:reservationId/release',
    access: { roles: ['User'], apiKey: 'metering' },
    summary: 'Release a reservation',
    description: 'Returns it unused. Safe to repeat.',
    input: z.strictObject({ reservationId: id('res') }),
    output: EndedReservation,
  }),

  askRaise: route({
    method: 'POST',
    path: '/usage/quotas/:subscriptionId/raises',
    access: user,
    status: 201,
    summary: 'Request a higher quota',
    description: 'One open request at a time.',
    input: z.strictObject({ ...subscription, limit: positive, reason: text(500) }),
    output: Raise,
  }),
  listRaises: route({
    method: 'GET',
    path: '/usage/quotas/:subscriptionId/raises',
    access: member,
    summary: 'List quota requests',
    description: 'All requests for a subscription, newest first.',
    input: z.strictObject(subscription),
    output: z.strictObject({ items: z.array(Raise) }),
  }),
  withdrawRaise: route({
    method: 'DELETE',
    path: '/usage/quotas/:subscriptionId/raises/:raiseId',
    access: user,
    summary: 'Withdraw a quota request',
    description: 'Only before it’s answered.',
    input: z.strictObject({ ...subscription, ...oneRaise }),
    output: Raise,
  }),
  adminListRaises: route({
    method: 'GET',
    path: '/admin/quota-raises',
    access: admin,
    summary: 'List all quota requests',
    description: 'Those of every organization, newest first.',
    input: z.strictObject({
      limit: pageQuery.limit,
      cursor: pageQuery.cursor,
      state: z.optional(z.enum(raiseStates)),
    }),
    output: pageOf(AdminRaise),
  }),
  grantRaise: route({
    method: 'POST',
    path: '/admin/quota-raises/:raiseId/grant',
    access: admin,
    summary: 'Grant a quota request',
    description: 'The limit (the requested one by default) applies to the subscription immediately.',
    input: z.strictObject({
      ...oneRaise,
      limit: z.optional(positive),
      answer: z.optional(optionalText(500)),
    }),
    output: AdminRaise,
  }),
  declineRaise: route({
    method: 'POST',
    path: '/admin/quota-raises/:raiseId/decline',
    access: admin,
    summary: 'Decline a quota request',
    description: 'The customer sees the reason.',
    input: z.strictObject({ ...oneRaise, answer: text(500) }),
    output: AdminRaise,
  }),
});

export const quotasErrors = {
  'quotas.subscription_not_found': 404,
  'quotas.exhausted': 409,
  'quotas.not_running': 409,
  'quotas.credit_used_up': 409,
  'quotas.not_countable': 422,
  'quotas.data_not_counted': 422,
  'quotas.whole_only': 422,
  'quotas.quantity_too_large': 422,
  'quotas.reservation_not_found': 404,
  'quotas.reservation_committed': 409,
  'quotas.reservation_released': 409,
  'quotas.usage_refused': 409,
  'quotas.no_limit': 409,
  'quotas.raise_open': 409,
  'quotas.raise_closed': 409,
  'quotas.raise_not_found': 404,
  // Invalid fields: the response names the field (400).
  'quotas.more_than_reserved': 400,
  'quotas.raise_too_low': 400,
} as const satisfies ErrorTable;

export const quotasPaths = { admin: '/admin/quotas' } as const;
