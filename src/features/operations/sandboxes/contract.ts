// Sandboxes: consoles with test data on separate databases, whose clocks can be moved forward.
import * as z from 'zod/mini';
import { contract, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { id, instant, pageOf, pageQuery, text } from '#kernel/shape.ts';

export const maxSandboxes = 10;
/** A sandbox is deleted after `unusedDays` without use; Admins are notified `noticeDays` before that. */
export const unusedDays = 30;
export const noticeDays = 7;
/** The most months by which one move takes the clock forward. */
export const maxMoveMonths = 24;

export const sandboxStates = ['making', 'ready', 'deleting'] as const;
export const moveStates = ['running', 'done', 'cancelled'] as const;
export type MoveState = (typeof moveStates)[number];

const Move = z.strictObject({
  from: instant,
  to: instant,
  state: z.enum(moveStates),
});
export const Sandbox = z.strictObject({
  id: id('sbx'),
  name: z.string(),
  state: z.enum(sandboxStates),
  /** The prefix of `/api/…` in the URL of a call. */
  address: z.string(),
  startAt: instant,
  clockAt: instant,
  /**
   * The last move of the clock; while it runs, `clockAt` shows its progress. null when it was never moved.
   */
  move: z.nullable(Move),
  customers: z.int(),
  bills: z.int(),
  mails: z.int(),
  lastUsedAt: instant,
  /** When it is deleted unless it is used before. */
  deletedAt: instant,
  createdBy: z.string(),
  createdAt: instant,
});
export type Sandbox = z.output<typeof Sandbox>;

/** An e-mail that a sandbox would have sent. `id` orders them. */
export const SandboxMail = z.strictObject({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  at: instant,
});
export type SandboxMail = z.output<typeof SandboxMail>;

const access = { roles: ['Admin'] } as const;
const one = { sandboxId: id('sbx') };
const Opened = z.strictObject({
  sandbox: Sandbox,
  /** An API key of an Admin of the sandbox, with every permission; null when the answer is a repeat. */
  key: z.nullable(z.string()),
  /** An API key that reports usage for every customer of the sandbox. */
  meteringKey: z.nullable(z.string()),
});
const whole = (most: number) => z.optional(z.int().check(z.minimum(1), z.maximum(most)));

export const sandboxes = contract({
  listSandboxes: route({
    method: 'GET',
    path: '/admin/sandboxes',
    access,
    isBatchable: true,
    summary: 'List sandboxes',
    description: 'Their clocks and what they hold.',
    input: z.strictObject(pageQuery),
    output: pageOf(Sandbox),
  }),
  getSandbox: route({
    method: 'GET',
    path: '/admin/sandboxes/:sandboxId',
    access,
    summary: 'Get a sandbox',
    description: 'Its clock, the progress of moving it, and what the sandbox holds.',
    input: z.strictObject(one),
    output: Sandbox,
  }),
  createSandbox: route({
    method: 'POST',
    path: '/admin/sandboxes',
    access,
    status: 201,
    long: true,
    atOnce: 1,
    returnedOnce: ['key', 'meteringKey'],
    summary: 'Create a sandbox',
    description:
      'A console with its own test data, whose clock stands at a time that you choose. Its API keys are returned only once.',
    input: z.strictObject({ name: text(80), startAt: instant, copyCatalogue: z.boolean() }),
    output: Opened,
  }),
  moveClock: route({
    method: 'POST',
    path: '/admin/sandboxes/:sandboxId/clock',
    access,
    status: 202,
    summary: 'Advance a sandbox’s clock',
    description:
      'To a given time, or by days or months. Whatever would have happened meanwhile happens in order.',
    input: z.strictObject({
      ...one,
      to: z.optional(instant),
      days: whole(maxMoveMonths * 31),
      months: whole(maxMoveMonths),
    }),
    output: Sandbox,
  }),
  cancelMove: route({
    method: 'POST',
    path: '/admin/sandboxes/:sandboxId/clock/cancel',
    access,
    summary: 'Stop advancing a clock',
    description: 'The clock stays where it is, and what has happened stays.',
    input: z.strictObject(one),
    output: Sandbox,
  }),
  listSandboxMails: route({
    method: 'GET',
    path: '/admin/sandboxes/:sandboxId/mails',
    access,
    summary: 'List a sandbox’s emails',
    description: 'The emails it would have sent, newest first.',
    input: z.strictObject({ ...one, ...pageQuery }),
    output: pageOf(SandboxMail),
  }),
  resetSandbox: route({
    method: 'POST',
    path: '/admin/sandboxes/:sandboxId/reset',
    access,
    long: true,
    atOnce: 1,
    returnedOnce: ['key', 'meteringKey'],
    summary: 'Reset a sandbox',
    description:
      'It starts over without data, at its initial time, with new API keys, which are returned only once.',
    input: z.strictObject(one),
    output: Opened,
  }),
  deleteSandbox: route({
    method: 'DELETE',
    path: '/admin/sandboxes/:sandboxId',
    access,
    long: true,
    summary: 'Delete a sandbox',
    description: 'Everything in it is deleted.',
    input: z.strictObject(one),
    output: nothing,
  }),
});

export const sandboxesErrors = {
  'sandboxes.not_found': 404,
  'sandboxes.inside': 409,
  'sandboxes.too_many': 409,
  'sandboxes.not_ready': 409,
  'sandboxes.moving': 409,
  'sandboxes.not_moving': 409,
  'sandboxes.no_database': 409,
  // Invalid fields: the answer names the field (400).
  'sandboxes.start_range': 400,
  'sandboxes.clock_one': 400,
  'sandboxes.clock_back': 400,
  'sandboxes.clock_far': 400,
} as const satisfies ErrorTable;
