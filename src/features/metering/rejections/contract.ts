// Rejected events: what metering rejected and why, and how it is corrected and sent again.
import * as z from 'zod/mini';
import { contract, file, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant, language, pageOf, pageQuery, text } from '#kernel/shape.ts';

export const rejectedStates = ['open', 'replayed', 'dismissed'] as const;

export const Rejected = z.strictObject({
  id: id('rej'),
  organizationId: z.nullable(id('org')),
  organization: z.nullable(z.string()),
  keyId: z.string(),
  keyName: z.nullable(z.string()),
  firstReceivedAt: instant,
  lastReceivedAt: instant,
  /** How often it was received with this reason. */
  times: z.int(),
  source: z.nullable(z.string()),
  eventId: z.nullable(z.string()),
  type: z.nullable(z.string()),
  subject: z.nullable(z.string()),
  code: z.string(),
  message: z.string(),
  state: z.enum(rejectedStates),
  /** Whether the whole event is stored, so that it can be sent again unchanged. */
  isComplete: z.boolean(),
  settledAt: z.nullable(instant),
});
export type Rejected = z.output<typeof Rejected>;

/** `raw` is the event as JSON, as it was sent; `repaired` is the corrected event that was counted instead. */
export const RejectedDetail = z.strictObject({
  ...Rejected.shape,
  raw: z.string(),
  repaired: z.nullable(z.string()),
});
export type RejectedDetail = z.output<typeof RejectedDetail>;

/** The result of sending an event again. */
export const Replayed = z.strictObject({
  outcome: z.enum(['accepted', 'duplicate', 'rejected']),
  code: z.nullable(z.string()),
  message: z.nullable(z.string()),
});
export type Replayed = z.output<typeof Replayed>;

/**
 * The result of a chunk: `next` continues after it, null at the end; `left` is the number of remaining
 * events.
 */
export const ReplayedChunk = z.strictObject({
  accepted: z.int(),
  duplicates: z.int(),
  rejected: z.int(),
  next: z.nullable(id('rej')),
  left: z.int(),
});
export type ReplayedChunk = z.output<typeof ReplayedChunk>;

export const Reasons = z.strictObject({
  /** Open events by reason, most frequent first. */
  reasons: z.array(z.strictObject({ code: z.string(), count: z.int() })),
  /** Event types among the open events. */
  types: z.array(z.string()),
  /** The number of rejected events beyond the storage limit, which are only counted. */
  notKept: z.int(),
});

const admin = { roles: ['Admin'] } as const;
const own = { roles: ['User'] } as const;
const one = { rejectedId: id('rej') };
const narrowed = { code: z.optional(text(60)), type: z.optional(text(300)) };
const filters = { q: pageQuery.q, ...narrowed, state: z.optional(z.enum(rejectedStates)) };
const ofOrganization = { organizationId: z.optional(id('org')) };
const page = { sort: pageQuery.sort, limit: pageQuery.limit, cursor: pageQuery.cursor };
const replay = z.strictObject({ ...one, event: z.optional(z.unknown()) });
const chunk = { code: text(60), type: narrowed.type, after: z.optional(id('rej')) };
/** Either the given events, or all open ones of a reason. */
const dismissed = {
  ids: z.optional(z.array(id('rej')).check(z.minLength(1), z.maxLength(200))),
  ...narrowed,
};
const dismissal = z.strictObject({ dismissed: z.int() });
const exported = {
  sort: pageQuery.sort,
  ...filters,
  format: z.enum(['csv', 'xlsx']),
  language: z.optional(language),
};

export const rejections = contract({
  adminListRejected: route({
    method: 'GET',
    path: '/admin/usage/rejected',
    access: admin,
    summary: 'List all rejected events',
    description: 'Events that metering rejected, the last received first. By default only open ones.',
    input: z.strictObject({ ...page, ...filters, ...ofOrganization }),
    output: pageOf(Rejected),
  }),
  adminRejectedReasons: route({
    method: 'GET',
    path: '/admin/usage/rejected/reasons',
    access: admin,
    summary: 'Count all rejected events by reason',
    description: 'Open ones only.',
    input: z.strictObject(ofOrganization),
    output: Reasons,
  }),
  adminExportRejected: route({
    method: 'GET',
    path: '/admin/usage/rejected/export',
    access: admin,
    atOnce: 2,
    summary: 'Export all rejected events',
    description: 'Those that match a filter, as CSV or Excel.',
    input: z.strictObject({ ...exported, ...ofOrganization }),
    output: file,
  }),
  adminGetRejected: route({
    method: 'GET',
    path: '/admin/usage/rejected/:rejectedId',
    access: admin,
    summary: 'Get any rejected event',
    description: 'As it was received.',
    input: z.strictObject(one),
    output: RejectedDetail,
  }),
  adminReplayRejected: route({
    method: 'POST',
    path: '/admin/usage/rejected/:rejectedId/replay',
    access: admin,
    summary: 'Resend any rejected event',
    description:
      'As it was received or corrected, on behalf of its API key: it can write only what that key can.',
    input: replay,
    output: Replayed,
  }),
  adminReplayReason: route({
    method: 'POST',
    path: '/admin/usage/rejected/replay',
    access: admin,
    summary: 'Resend all events with one reason',
    description: 'Up to 200 open events; `next` continues. Safe to repeat.',
    input: z.strictObject({ ...chunk, ...ofOrganization }),
    output: ReplayedChunk,
  }),
  adminDismissRejected: route({
    method: 'POST',
    path: '/admin/usage/rejected/dismiss',
    access: admin,
    summary: 'Dismiss any rejected events',
    description: 'Some events, or all open ones with one reason.',
    input: z.strictObject({ ...dismissed, ...ofOrganization }),
    output: dismissal,
  }),

  listRejected: route({
    method: 'GET',
    path: '/usage/rejected',
    access: own,
    summary: 'List your rejected events',
    input: z.strictObject({ ...page, ...filters }),
    output: pageOf(Rejected),
  }),
  rejectedReasons: route({
    method: 'GET',
    path: '/usage/rejected/reasons',
    access: own,
    isBatchable: true,
    summary: 'Count your rejected events by reason',
    description: 'Open ones only.',
    input: z.strictObject({}),
    output: Reasons,
  }),
  exportRejected: route({
    method: 'GET',
    path: '/usage/rejected/export',
    access: own,
    atOnce: 2,
    summary: 'Export your rejected events',
    description: 'Those that match a filter, as CSV or Excel.',
    input: z.strictObject(exported),
    output: file,
  }),
  getRejected: route({
    method: 'GET',
    path: '/usage/rejected/:rejectedId',
    access: own,
    summary: 'Get a rejected event',
    description: 'As it was received.',
    input: z.strictObject(one),
    output: RejectedDetail,
  }),
  replayRejected: route({
    method: 'POST',
    path: '/usage/rejected/:rejectedId/replay',
    access: own,
    summary: 'Resend a rejected event',
    description: 'As it was received or corrected. It can write only to your organization’s subscriptions.',
    input: replay,
    output: Replayed,
  }),
  replayReason: route({
    method: 'POST',
    path: '/usage/rejected/replay',
    access: own,
    summary: 'Resend your events with one reason',
    description: 'Up to 200 open events; `next` continues. Safe to repeat.',
    input: z.strictObject(chunk),
    output: ReplayedChunk,
  }),
  dismissRejected: route({
    method: 'POST',
    path: '/usage/rejected/dismiss',
    access: own,
    summary: 'Dismiss rejected events',
    description: 'Some events, or all open ones with one reason.',
    input: z.strictObject(dismissed),
    output: dismissal,
  }),
});

export const rejectionsErrors = {
  'rejections.not_found': 404,
  'rejections.replayed_already': 409,
  'rejections.incomplete': 422,
  'rejections.too_long': 422,
} as const satisfies ErrorTable;
