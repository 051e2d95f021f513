// Approvals: selected actions of Admins take effect only after a second Admin has approved them.
import * as z from 'zod/mini';
import { contract, noInput, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant, optionalText, pageOf, pageQuery, text } from '#kernel/shape.ts';

/** Actions that can require approval; `src/app/approvals/choices.ts` lists the calls of each. */
export const choiceNames = [
  'void_bill',
  'credit_note',
  'refund',
  'waiver',
  'payment_by_hand',
  'credit',
  'prices',
  'catalogue',
  'close_month',
  'bank_account',
  'journal',
  'backups',
  'erasure',
  'admins',
  'api_keys',
  'sign_in',
  'approvals',
] as const;
export type ChoiceName = (typeof choiceNames)[number];
const choiceName = z.enum(choiceNames);

/** The longest time that a request can wait, in days. */
export const mostDays = 30;

/** `approved`: about to run, or running. */
export const approvalStates = [
  'waiting',
  'approved',
  'done',
  'failed',
  'rejected',
  'withdrawn',
  'expired',
] as const;
export type ApprovalState = (typeof approvalStates)[number];

const person = z.strictObject({ id: id('usr'), name: z.string() });
const listed = {
  id: id('apr'),
  state: z.enum(approvalStates),
  /** The call that awaits approval: feature.verb. */
  call: z.string(),
  /** A description of the call, in the caller's language. */
  title: z.string(),
  /** The subject of the call, such as a bill's number; null when nothing more is known. */
  subject: z.nullable(z.string()),
  requestedBy: person,
  /** The name of the API key through which the person made the request; null when they made it themselves. */
  byKey: z.nullable(z.string()),
  requestedAt: instant,
  expiresAt: instant,
  /** The person who approved or rejected it. */
  decidedBy: z.nullable(person),
  decidedAt: z.nullable(instant),
  note: z.string(),
  endedAt: z.nullable(instant),
};
export const Approval = z.strictObject(listed);
export type Approval = z.output<typeof Approval>;

/**
 * One field of an input or an answer in readable form. `path` is its dotted name; the value of a secret is
 * null. `names` are what the ids in the value stand for; of many, the last entry is how many more there are.
 */
export const Field = z.strictObject({
  path: z.string(),
  value: z.nullable(z.string()),
  names: z.optional(z.array(z.string())),
});
export type Field = z.output<typeof Field>;

export const ApprovalDetail = z.strictObject({
  ...listed,
  /** The input; null once it has been deleted, 90 days after the request ended. */
  fields: z.nullable(z.array(Field)),
  /** The call's answer; null unless done. */
  outcome: z.nullable(z.array(Field)),
  /** The reason why it did not run. */
  failure: z.nullable(z.strictObject({ code: z.string(), message: z.string() })),
  /** Whether the caller made the request and therefore cannot decide on it. */
  isOwn: z.boolean(),
  /** Whether the caller can approve or reject it now. */
  mayDecide: z.boolean(),
  /** Whether the answer contains secrets that the caller has not fetched yet, such as a new key. */
  hasSecrets: z.boolean(),
});
export type ApprovalDetail = z.output<typeof ApprovalDetail>;

export const ApprovalSettings = z.strictObject({
  chosen: z.array(choiceName),
  days: z.int(),
  /** The actions that can require approval, with the names of their calls in the caller's language. */
  choices: z.array(z.strictObject({ name: choiceName, calls: z.array(z.string()) })),
  /** The number of active Admins who can approve. Two are needed. */
  approvers: z.int(),
});
export type ApprovalSettings = z.output<typeof ApprovalSettings>;

/** The answer (202) of a call that awaits approval. */
export const Waiting = z.strictObject({
  approval: z.strictObject({
    id: id('apr'),
    state: z.literal('waiting'),
    call: z.string(),
    expiresAt: instant,
  }),
});

const admin = { roles: ['Admin'] } as const;
const one = { approvalId: id('apr') };

export const approvals = contract({
  getApprovalSettings: route({
    method: 'GET',
    path: '/admin/approval-settings',
    access: admin,
    summary: 'Get approval settings',
    description: 'Which actions need a second Admin’s approval, and how long requests stay open.',
    input: noInput,
    output: ApprovalSettings,
  }),
  setApprovals: route({
    method: 'PUT',
    path: '/admin/approval-settings',
    access: admin,
    fresh: true,
    summary: 'Update approval settings',
    description: 'Choosing any action requires two active Admins who may approve.',
    input: z.strictObject({
      chosen: z.array(choiceName).check(z.maxLength(choiceNames.length)),
      days: z.int().check(z.minimum(1), z.maximum(mostDays)),
    }),
    output: ApprovalSettings,
  }),
  listApprovals: route({
    method: 'GET',
    path: '/admin/approvals',
    access: admin,
    summary: 'List approval requests',
    description: 'Newest first. Without permission to read approvals, only your own.',
    input: z.strictObject({
      limit: pageQuery.limit,
      cursor: pageQuery.cursor,
      /** `waiting`, or the requests that have ended. */
      only: z.optional(z.enum(['waiting', 'ended'])),
    }),
    output: z.extend(pageOf(Approval), { waiting: z.int() }),
  }),
  getApproval: route({
    method: 'GET',
    path: '/admin/approvals/:approvalId',
    access: admin,
    summary: 'Get an approval request',
    description: 'Includes its input in readable form, without secrets.',
    input: z.strictObject(one),
    output: ApprovalDetail,
  }),
  approve: route({
    method: 'POST',
    path: '/admin/approvals/:approvalId/approve',
    access: admin,
    fresh: true,
    long: true,
    summary: 'Approve a request',
    description:
      'The requested action runs immediately, on behalf of the person who asked. You can’t approve your own request, and API keys can’t approve.',
    input: z.strictObject({ ...one, note: z.optional(optionalText(500)) }),
    output: ApprovalDetail,
  }),
  reject: route({
    method: 'POST',
    path: '/admin/approvals/:approvalId/reject',
    access: admin,
    summary: 'Reject a request',
    description: 'The action never runs. You can’t reject your own request, and API keys can’t reject.',
    input: z.strictObject({ ...one, note: text(500) }),
    output: ApprovalDetail,
  }),
  withdrawApproval: route({
    method: 'POST',
    path: '/admin/approvals/:approvalId/withdraw',
    access: admin,
    summary: 'Withdraw your request',
    input: z.strictObject(one),
    output: ApprovalDetail,
  }),
  takeSecrets: route({
    method: 'POST',
    path: '/admin/approvals/:approvalId/secrets',
    access: admin,
    fresh: true,
    summary: 'Collect secrets from your request',
    description:
      'Secrets in the result of your own request, such as a new key. Available once, within three days.',
    returnedOnce: ['secrets'],
    input: z.strictObject(one),
    output: z.strictObject({ secrets: z.nullable(z.array(Field)) }),
  }),
});
export const approvalsErrors = {
  'approvals.not_found': 404,
  'approvals.own': 403,
  'approvals.not_own': 403,
  'approvals.over': 409,
  'approvals.erased': 410,
  'approvals.needs_two': 422,
  'approvals.requester_gone': 403,
  'approvals.no_secrets': 404,
} as const satisfies ErrorTable;
