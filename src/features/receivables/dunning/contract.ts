// Dunning: the consequences of an overdue bill, step by step, and how its organization is released.
import * as z from 'zod/mini';
import { contract, noInput, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  acceptedMoney,
  day,
  id,
  instant,
  moneyShape,
  month,
  pageOf,
  pageQuery,
  text,
} from '#kernel/shape.ts';

export const dunningActions = ['reminder', 'past_due', 'suspend'] as const;
export type DunningAction = (typeof dunningActions)[number];
export const holdLevels = ['past_due', 'suspended'] as const;
export type HoldLevel = (typeof holdLevels)[number];

/**
 * One step of the schedule: the action, and how many days after the due date it happens (negative: before), in
 * the organization's time zone.
 */
export const DunningStep = z.strictObject({
  day: z.int().check(z.minimum(-60), z.maximum(365)),
  action: z.enum(dunningActions),
});
export type DunningStep = z.output<typeof DunningStep>;
export const maxSteps = 12;

export const DunningPlan = z.strictObject({
  /** In order; the days are ascending. */
  steps: z.array(DunningStep).check(z.minLength(1), z.maxLength(maxSteps)),
  /** Bills with less than this amount due are not dunned. One amount per currency. */
  minimums: z.array(acceptedMoney).check(z.maxLength(20)),
  /** How many days a suspension waits while a payment of the bill is in progress. */
  deferDays: z.int().check(z.minimum(0), z.maximum(30)),
});
export type DunningPlan = z.output<typeof DunningPlan>;

/** The next step of a bill in its current state. */
export const NextStep = z.strictObject({ action: z.enum(dunningActions), on: day });
export const Dunned = z.strictObject({
  billId: id('bil'),
  number: z.string(),
  month,
  organizationId: id('org'),
  organization: z.string(),
  /** The organization whose services are affected, if another one pays. */
  usedBy: z.optional(z.strictObject({ organizationId: id('org'), organization: z.string() })),
  due: moneyShape,
  /** The date from which the schedule counts: the due date, or a later date that was granted. */
  dueOn: day,
  isExtended: z.boolean(),
  /** Days since then; negative before it. */
  days: z.int(),
  last: z.nullable(z.strictObject({ action: z.enum(dunningActions), at: instant })),
  next: z.nullable(NextStep),
  /** The restriction of the organization whose services are affected; null for none. */
  level: z.nullable(z.enum(holdLevels)),
});
export type Dunned = z.output<typeof Dunned>;

export const rehearsalDays = 30;
/** The maximum number of steps in a rehearsal's result; all are counted. */
export const maxShown = 1000;
export const RehearsedStep = z.strictObject({
  organizationId: id('org'),
  organization: z.string(),
  billId: id('bil'),
  number: z.string(),
  due: moneyShape,
  on: day,
  action: z.enum(dunningActions),
});
export const Rehearsal = z.strictObject({
  id: id('reh'),
  madeAt: instant,
  plan: DunningPlan,
  /** Whether the schedule was on. While it is off, bills that are already overdue count from today. */
  isOn: z.boolean(),
  steps: z.array(RehearsedStep),
  isCut: z.boolean(),
  counts: z.strictObject({
    reminders: z.int(),
    organizations: z.int(),
    pastDue: z.int(),
    suspended: z.int(),
  }),
  /** The amount due of all bills with a step. */
  due: z.array(moneyShape),
});
export type Rehearsal = z.output<typeof Rehearsal>;

const reason = text(300);
const Standing = z.strictObject({
  level: z.nullable(z.enum(holdLevels)),
  since: z.nullable(instant),
  /** Who pays for the organization and has not paid, if its services are restricted because of that. */
  payer: z.nullable(z.string()),
  /** Overdue bills, regardless of other restrictions: the longest overdue first. */
  bills: z.array(
    z.strictObject({
      billId: id('bil'),
      number: z.string(),
      month,
      due: moneyShape,
      dueOn: day,
      next: z.nullable(NextStep),
      willSuspendOn: z.nullable(day),
    }),
  ),
});
export type DunningStanding = z.output<typeof Standing>;

export const historyKinds = ['reminder', 'past_due', 'suspend', 'skipped', 'extension', 'resumed'] as const;
export const DunningHistory = z.strictObject({
  items: z.array(
    z.strictObject({
      at: instant,
      kind: z.enum(historyKinds),
      due: z.nullable(moneyShape),
      until: z.nullable(day),
      by: z.string(),
      said: z.string(),
    }),
  ),
  /** Its position on the schedule; null if it is not on it. */
  now: z.nullable(Dunned),
  isOn: z.boolean(),
  isExempt: z.boolean(),
});
export type DunningHistory = z.output<typeof DunningHistory>;

const Dunning = z.strictObject({
  isOn: z.boolean(),
  switchedOnAt: z.nullable(instant),
  plan: DunningPlan,
  exempt: z.int(),
  held: z.strictObject({ pastDue: z.int(), suspended: z.int() }),
});
export type Dunning = z.output<typeof Dunning>;
const Exemption = z.strictObject({
  organizationId: id('org'),
  organization: z.string(),
  reason: z.string(),
  madeAt: instant,
});

const admin = { roles: ['Admin'] } as const;
const oneBill = { billId: id('bil') };
const oneOrganization = { organizationId: id('org') };

export const dunning = contract({
  dunningStanding: route({
    method: 'GET',
    path: '/dunning',
    access: { roles: ['User', 'ReadOnly'], apiKey: 'read' },
    isBatchable: true,
    summary: 'Get your dunning status',
    description: 'Whether your organization is past due or suspended, what for, and what happens next.',
    input: noInput,
    output: Standing,
  }),
  getDunning: route({
    method: 'GET',
    path: '/admin/dunning',
    access: admin,
    summary: 'Get the dunning schedule',
    description: 'Its steps, and whether dunning is on.',
    input: noInput,
    output: Dunning,
  }),
  saveDunning: route({
    method: 'PUT',
    path: '/admin/dunning',
    access: admin,
    fresh: true,
    summary: 'Update the dunning schedule',
    description:
      'While dunning is on, this exact schedule must have been rehearsed. Steps already taken stay taken.',
    input: z.strictObject({ plan: DunningPlan, rehearsalId: z.optional(id('reh')) }),
    output: Dunning,
  }),
  switchDunning: route({
    method: 'POST',
    path: '/admin/dunning/switch',
    access: admin,
    fresh: true,
    summary: 'Turn dunning on or off',
    description: 'Turning it on requires a rehearsal of the saved schedule from the last 24 hours.',
    input: z.strictObject({ isOn: z.boolean(), rehearsalId: z.optional(id('reh')) }),
    output: Dunning,
  }),
  rehearseDunning: route({
    method: 'POST',
    path: '/admin/dunning/rehearsal',
    access: admin,
    atOnce: 1,
    summary: 'Rehearse dunning',
    description:
      'What a schedule (by default the saved one) would do today and in the next 30 days if nobody paid. Nothing is sent.',
    input: z.strictObject({ plan: z.optional(DunningPlan) }),
    output: Rehearsal,
  }),
  listDunned: route({
    method: 'GET',
    path: '/admin/dunning/bills',
    access: admin,
    summary: 'List bills in dunning',
    description: 'Open bills on the dunning schedule, and where each stands.',
    input: z.strictObject({ ...pageQuery, level: z.optional(z.enum(holdLevels)) }),
    output: pageOf(Dunned),
  }),
  billDunning: route({
    method: 'GET',
    path: '/admin/dunning/bills/:billId',
    access: admin,
    summary: 'Get a bill’s dunning',
    description: 'What has happened and what’s next.',
    input: z.strictObject(oneBill),
    output: DunningHistory,
  }),
  extendBill: route({
    method: 'POST',
    path: '/admin/dunning/bills/:billId/extensions',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Extend a bill',
    description:
      'Grants a later date from which dunning counts again. The due date on the bill stays. The organization is released when nothing else is overdue.',
    input: z.strictObject({ ...oneBill, until: day, reason }),
    output: DunningHistory,
  }),
  resumeOrganization: route({
    method: 'POST',
    path: '/admin/dunning/organizations/:organizationId/resume',
    access: admin,
    idempotent: true,
    summary: 'Release an organization',
    description: 'All its overdue bills are granted the same later date.',
    input: z.strictObject({ ...oneOrganization, until: day, reason }),
    output: nothing,
  }),
  listExemptions: route({
    method: 'GET',
    path: '/admin/dunning/exemptions',
    access: admin,
    summary: 'List dunning exemptions',
    description: 'Organizations that are never dunned.',
    input: noInput,
    output: z.strictObject({ items: z.array(Exemption) }),
  }),
  exemptOrganization: route({
    method: 'PUT',
    path: '/admin/dunning/exemptions/:organizationId',
    access: admin,
    summary: 'Exempt an organization',
    description: 'Leaves it out of dunning and ends its restrictions.',
    input: z.strictObject({ ...oneOrganization, reason }),
    output: nothing,
  }),
  endExemption: route({
    method: 'DELETE',
    path: '/admin/dunning/exemptions/:organizationId',
    access: admin,
    summary: 'End an exemption',
    description: 'The organization is dunned again.',
    input: z.strictObject(oneOrganization),
    output: nothing,
  }),
});

export const dunningErrors = {
  'dunning.days_not_rising': 400,
  'dunning.past_due_twice': 400,
  'dunning.suspend_order': 400,
  'dunning.held_early': 400,
  'dunning.minimum_twice': 400,
  'dunning.until_past': 400,
  'dunning.until_far': 400,
  'dunning.rehearse_first': 409,
  'dunning.bill_not_open': 409,
  'dunning.not_held': 409,
  'dunning.organization_not_found': 404,
} as const satisfies ErrorTable;
