// Webhooks: send an organization's notices as events to its own servers, signed as specified by
// standardwebhooks.com.
import * as z from 'zod/mini';
import { contract, noInput, nothing, route } from '#kernel/contract.ts';
import { FilePlan, planId } from '#kernel/file-plan.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant, optionalText, pageOf, pageQuery } from '#kernel/shape.ts';

/**
 * The event types that an endpoint can select. Names never change; docs/integrator/webhooks.md describes
 * their data. `other`: notices without a type of their own.
 */
export const eventTypes = [
  'bill.issued',
  'bill.consolidated',
  'bill.due_soon',
  'bill.overdue',
  'bill.paid',
  'bill.credited',
  'bill.voided',
  'payment.succeeded',
  'payment.failed',
  'payment.rejected',
  'payment.mismatched',
  'payment.excess',
  'payment.corrected',
  'payment.refunded',
  'payment.automatic',
  'payment.automatic_short',
  'collection.declined',
  'collection.stopped',
  'collection.confirm',
  'plan.agreed',
  'plan.missed',
  'plan.ended',
  'latefee.charged',
  'latefee.waived',
  'topup.stopped',
  'topup.capped',
  'creditlimit.near',
  'creditlimit.reached',
  'creditlimit.kept_paused',
  'card.expiring',
  'dunning.past_due',
  'dunning.suspended',
  'dunning.resumed',
  'quota.warning',
  'quota.critical',
  'quota.recovered',
  'quota.raise_granted',
  'quota.raise_declined',
  'credit.granted',
  'credit.withdrawn',
  'credit.topped_up',
  'credit.top_up_short',
  'credit.low',
  'credit.used_up',
  'quote.sent',
  'budget.actual',
  'budget.forecast',
  'webhook.disabled',
  'other',
] as const;
export type EventType = (typeof eventTypes)[number];
/** Sent manually; every endpoint gets it, whatever types it selected. */
export const testType = 'webhook.test';
const sentType = z.enum([...eventTypes, testType]);
export type SentType = EventType | typeof testType;

export const deliveryStates = ['waiting', 'delivered', 'parked'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
/** Why an attempt failed; `status`: the endpoint responded, but not with 200 to 299. */
export const attemptFailures = [
  'status',
  'address_refused',
  'name_unknown',
  'not_public',
  'connection',
  'certificate',
  'timeout',
  'too_large',
] as const;
export type AttemptFailure = (typeof attemptFailures)[number];
/**
 * Why an endpoint is disabled: a member disabled it, no delivery succeeded for days, or it responded 410
 * Gone.
 */
export const offReasons = ['by_hand', 'failing', 'gone'] as const;
/** The most endpoints of an organization. */
export const maxEndpoints = 20;
export const longestOverlapHours = 168;

export const Endpoint = z.strictObject({
  id: id('whe'),
  url: z.string(),
  description: z.string(),
  /** null: all types, including future ones. */
  eventTypes: z.nullable(z.array(z.enum(eventTypes))),
  isOn: z.boolean(),
  offReason: z.nullable(z.enum(offReasons)),
  /** The first and last characters of the secret. */
  secretHint: z.string(),
  /** Until when the previous secret signs as well. */
  previousUntil: z.nullable(instant),
  /** Since when every attempt has failed; null when the last one succeeded. */
  failingSince: z.nullable(instant),
  lastDeliveredAt: z.nullable(instant),
  waiting: z.int(),
  parked: z.int(),
  createdAt: instant,
});
export type Endpoint = z.output<typeof Endpoint>;
const withSecret = z.strictObject({
  endpoint: Endpoint,
  /** `whsec_` and base64; returned only this once. */ secret: z.string(),
});

export const Delivery = z.strictObject({
  /** Also the webhook-id: the same on every attempt. */
  id: id('whd'),
  type: sentType,
  state: z.enum(deliveryStates),
  createdAt: instant,
  attempts: z.int(),
  lastStatus: z.nullable(z.int()),
  lastFailure: z.nullable(z.enum(attemptFailures)),
  lastAttemptAt: z.nullable(instant),
  /** When the next attempt is; null when there is none. */
  nextAttemptAt: z.nullable(instant),
});
export type Delivery = z.output<typeof Delivery>;
export const Attempt = z.strictObject({
  number: z.int(),
  at: instant,
  /** null: there was no response. */ status: z.nullable(z.int()),
  failure: z.nullable(z.enum(attemptFailures)),
  /** Details in English: an error code, or the refused address. */
  detail: z.string(),
  ms: z.int(),
  /** The first kilobyte of the response. */ answer: z.string(),
});
export type Attempt = z.output<typeof Attempt>;
const DeliveryDetail = z.extend(Delivery, {
  /** The bytes that are sent, the same on each attempt. */ body: z.string(),
  items: z.array(Attempt),
});
export type DeliveryDetail = z.output<typeof DeliveryDetail>;

const ownUser = { roles: ['User'] } as const;
const one = { endpointId: id('whe') };
const oneDelivery = { ...one, deliveryId: id('whd') };
const url = z.string().check(z.trim(), z.minLength(1), z.maxLength(2000));
const chosen = z.nullable(z.array(z.enum(eventTypes)).check(z.minLength(1), z.maxLength(eventTypes.length)));

export const webhookFileVersion = 1;
/**
 * An endpoint of a file, identified by its address. Omitted fields have their defaults: no description, all
 * types, enabled.
 */
export const FileWebhook = z.strictObject({
  url,
  description: z.optional(optionalText(120)),
  eventTypes: z.optional(chosen),
  isOn: z.optional(z.boolean()),
});
export type FileWebhook = z.output<typeof FileWebhook>;
/** An organization's endpoints as a file; it never contains their secrets. */
export const WebhookFile = z.strictObject({
  skytallyWebhooks: z.literal(webhookFileVersion),
  webhooks: z.array(FileWebhook).check(z.maxLength(maxEndpoints)),
});

export const webhooks = contract({
  exportWebhooks: route({
    method: 'GET',
    path: '/organization/webhooks/file',
    access: ownUser,
    summary: 'Export webhook endpoints',
    description: 'Your organization’s endpoints as one file for version control, without secrets.',
    input: noInput,
    output: WebhookFile,
  }),
  planWebhooks: route({
    method: 'POST',
    path: '/organization/webhooks/plan',
    access: ownUser,
    atOnce: 1,
    summary: 'Plan changes from a webhooks file',
    description: 'Shows what applying the file would do, without changing anything.',
    input: z.strictObject({ file: WebhookFile }),
    output: FilePlan,
  }),
  applyWebhooks: route({
    method: 'POST',
    path: '/organization/webhooks/apply',
    access: ownUser,
    atOnce: 1,
    returnedOnce: ['secrets'],
    summary: 'Apply a webhooks file',
    description:
      'Makes the changes that its plan showed. Endpoints that the file doesn’t name stay. Secrets of new ones are returned only once.',
    input: z.strictObject({ file: WebhookFile, planId }),
    output: z.extend(FilePlan, {
      /** Null in a repeat with the same Idempotency-Key. */
      secrets: z.nullable(z.array(z.strictObject({ url: z.string(), secret: z.string() }))),
    }),
  }),
  listEndpoints: route({
    method: 'GET',
    path: '/organization/webhooks',
    access: ownUser,
    isBatchable: true,
    summary: 'List webhook endpoints',
    description: 'Secrets are never returned.',
    input: z.strictObject({ ...pageQuery }),
    output: pageOf(Endpoint),
  }),
  createEndpoint: route({
    method: 'POST',
    path: '/organization/webhooks',
    access: ownUser,
    status: 201,
    returnedOnce: ['secret'],
    summary: 'Create a webhook endpoint',
    description: 'HTTPS only. The signing secret is returned only once.',
    input: z.strictObject({
      url,
      description: z.optional(optionalText(120)),
      eventTypes: z.optional(chosen),
    }),
    output: withSecret,
  }),
  getEndpoint: route({
    method: 'GET',
    path: '/organization/webhooks/:endpointId',
    access: ownUser,
    summary: 'Get a webhook endpoint',
    input: z.strictObject(one),
    output: Endpoint,
  }),
  updateEndpoint: route({
    method: 'PATCH',
    path: '/organization/webhooks/:endpointId',
    access: ownUser,
    summary: 'Update a webhook endpoint',
    description:
      'Changes its URL, description, or events, or turns it on or off. While it’s off, nothing is sent to it and pending deliveries are put aside.',
    input: z.strictObject({
      ...one,
      url: z.optional(url),
      description: z.optional(optionalText(120)),
      eventTypes: z.optional(chosen),
      isOn: z.optional(z.boolean()),
    }),
    output: Endpoint,
  }),
  deleteEndpoint: route({
    method: 'DELETE',
    path: '/organization/webhooks/:endpointId',
    access: ownUser,
    summary: 'Delete a webhook endpoint',
    description: 'Its deliveries are deleted too.',
    input: z.strictObject(one),
    output: nothing,
  }),
  rotateSecret: route({
    method: 'POST',
    path: '/organization/webhooks/:endpointId/secret',
    access: ownUser,
    returnedOnce: ['secret'],
    summary: 'Rotate a signing secret',
    description:
      'Returns a new secret, only once. Both secrets sign until the overlap ends (24 hours by default).',
    input: z.strictObject({
      ...one,
      overlapHours: z.optional(z.int().check(z.minimum(0), z.maximum(longestOverlapHours))),
    }),
    output: withSecret,
  }),
  endPreviousSecret: route({
    method: 'DELETE',
    path: '/organization/webhooks/:endpointId/previous-secret',
    access: ownUser,
    summary: 'End the secret overlap',
    description: 'From now on, only the newest secret signs.',
    input: z.strictObject(one),
    output: Endpoint,
  }),
  sendTest: route({
    method: 'POST',
    path: '/organization/webhooks/:endpointId/test',
    access: ownUser,
    status: 202,
    perMinute: 30,
    summary: 'Send a test event',
    description: 'Sends an event of type `webhook.test`.',
    input: z.strictObject(one),
    output: Delivery,
  }),
  listDeliveries: route({
    method: 'GET',
    path: '/organization/webhooks/:endpointId/deliveries',
    access: ownUser,
    summary: 'List deliveries',
    description: 'What was sent to an endpoint or is pending, newest first.',
    input: z.strictObject({
      ...pageQuery,
      ...one,
      state: z.optional(z.enum(deliveryStates)),
      type: z.optional(sentType),
    }),
    output: pageOf(Delivery),
  }),
  getDelivery: route({
    method: 'GET',
    path: '/organization/webhooks/:endpointId/deliveries/:deliveryId',
    access: ownUser,
    summary: 'Get a delivery',
    description: 'Its body, and each attempt with the response.',
    input: z.strictObject(oneDelivery),
    output: DeliveryDetail,
  }),
  replayDelivery: route({
    method: 'POST',
    path: '/organization/webhooks/:endpointId/deliveries/:deliveryId/replay',
    access: ownUser,
    status: 202,
    summary: 'Resend a delivery',
    description: 'Sends the same bytes with the same ID, now.',
    input: z.strictObject(oneDelivery),
    output: Delivery,
  }),
  replayFailed: route({
    method: 'POST',
    path: '/organization/webhooks/:endpointId/replay',
    access: ownUser,
    status: 202,
    summary: 'Resend failed deliveries',
    description: 'Resends every delivery that was given up or put aside at or after the given time.',
    input: z.strictObject({ ...one, since: instant }),
    output: z.strictObject({ replayed: z.int() }),
  }),
});

export const webhooksErrors = {
  'webhooks.not_found': 404,
  'webhooks.delivery_not_found': 404,
  'webhooks.too_many': 409,
  'webhooks.is_off': 409,
  'webhooks.secret_changed': 409,
  'webhooks.plan_changed': 409,
  'webhooks.file_named_twice': 422,
  'webhooks.file_ambiguous': 409,
  'webhooks.url_malformed': 400,
  'webhooks.url_not_https': 400,
  'webhooks.url_credentials': 400,
  'webhooks.url_port': 400,
  'webhooks.url_host': 400,
  'webhooks.url_not_public': 400,
} as const satisfies ErrorTable;
