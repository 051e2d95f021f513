// Approvals: chosen actions of Admins take effect only when a second Admin has agreed to them.
import * as z from 'zod/mini';
import { contract, noInput, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant, optionalText, pageOf, pageQuery, text } from '#kernel/shape.ts';

/** What can be chosen; the calls of each are in `src/app/approvals/choices.ts`. */
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

/** How many days a request waits at most. */
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
  /** The call that waits: feature.verb. */
  call: z.string(),
  /** What it does, in the caller's language. */
  title: z.string(),
  /** What it is about, such as a bill's number; null where nothing more is known. */
  subject: z.nullable(z.string()),
  requestedBy: person,
  /** The name of the API key that asked for its person; null: the person did. */
  byKey: z.nullable(z.string()),
  requestedAt: instant,
  expiresAt: instant,
  /** Who agreed or rejected. */
  decidedBy: z.nullable(person),
  decidedAt: z.nullable(instant),
  note: z.string(),
  endedAt: z.nullable(instant),
};
export const Approval = z.strictObject(listed);
export type Approval = z.output<typeof Approval>;

/** One field of an input or an answer, readable: `path` is its name, with dots; a value of null is a secret. */
export const Field = z.strictObject({ path: z.string(), value: z.nullable(z.string()) });
export type Field = z.output<typeof Field>;

export const ApprovalDetail = z.strictObject({
  ...listed,
  /** The input; null once it was deleted, 90 days after the end. */
  fields: z.nullable(z.array(Field)),
  /** What it answered; null unless done. */
  outcome: z.nullable(z.array(Field)),
  /** Why it did not run. */
  failure: z.nullable(z.strictObject({ code: z.string(), message: z.string() })),
  /** You asked for it, so you cannot decide. */
  isOwn: z.boolean(),
  /** Whether you may agree to it or reject it now. */
  mayDecide: z.boolean(),
  /** Whether secrets of the answer wait for you, such as a new key. */
  hasSecrets: z.boolean(),
});
export type ApprovalDetail = z.output<typeof ApprovalDetail>;

export const ApprovalSettings = z.strictObject({
  chosen: z.array(choiceName),
  days: z.int(),
  /** What can be chosen, with the names of its calls in the caller's language. */
  choices: z.array(z.strictObject({ name: choiceName, calls: z.array(z.string()) })),
  /** How many active Admins may approve. Two are needed. */
  approvers: z.int(),
});
export type ApprovalSettings = z.output<typeof ApprovalSettings>;

/** What a call answers that waits (202). */
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
      /** `waiting`, or those that are over. */
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
    saidOnce: ['secrets'],
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
