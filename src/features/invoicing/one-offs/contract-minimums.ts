// The minimum monthly spend: the minimum amount of an organization's months, before tax, in one currency.
import * as z from 'zod/mini';
import { noInput, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { acceptedMoney, currency, id, instant, moneyShape, month, pageOf, pageQuery } from '#kernel/shape.ts';

/** In the organization's current month. `cancelled`: ended before its first month, so it never applies. */
export const minimumStates = ['upcoming', 'running', 'ended', 'cancelled'] as const;
export type MinimumState = (typeof minimumStates)[number];

const terms = {
  /** Before tax. */
  amount: moneyShape,
  fromMonth: month,
  /** The last month; null while it has no end. */
  toMonth: z.nullable(month),
};

export const MinimumSpend = z.strictObject({
  id: id('msp'),
  organizationId: id('org'),
  organization: z.string(),
  ...terms,
  state: z.enum(minimumStates),
  /** The organization's current month: the first one that can still be changed. */
  currentMonth: month,
  createdAt: instant,
  createdBy: z.string(),
  /** When and by whom its end was set. */
  endedAt: z.nullable(instant),
  endedBy: z.nullable(z.string()),
  /** What it added to bills in force, before tax, minus what credit notes returned of it. */
  added: moneyShape,
});
export type MinimumSpend = z.output<typeof MinimumSpend>;

export const MinimumSpendDetail = z.extend(MinimumSpend, {
  /** The months to whose bills it added something, newest first. */
  months: z.array(
    z.strictObject({
      month,
      bill: z.strictObject({ id: id('bil'), number: z.string() }),
      added: moneyShape,
      /** What credit notes returned of it; zero or more. */
      credited: moneyShape,
    }),
  ),
});
export type MinimumSpendDetail = z.output<typeof MinimumSpendDetail>;

export const OwnMinimumSpend = z.strictObject(terms);
export type OwnMinimumSpend = z.output<typeof OwnMinimumSpend>;

const admin = { roles: ['Admin'] } as const;

export const minimumRoutes = {
  listMinimumSpends: route({
    method: 'GET',
    path: '/admin/minimum-spends',
    access: admin,
    isBatchable: true,
    summary: 'List minimum spends',
    description: 'Those of every organization, with what each added to bills.',
    input: z.strictObject({
      ...pageQuery,
      organizationId: z.optional(id('org')),
      currency: z.optional(currency),
    }),
    output: pageOf(MinimumSpend),
  }),
  getMinimumSpend: route({
    method: 'GET',
    path: '/admin/minimum-spends/:minimumSpendId',
    access: admin,
    summary: 'Get a minimum spend',
    description: 'Includes what it added to bills by month.',
    input: z.strictObject({ minimumSpendId: id('msp') }),
    output: MinimumSpendDetail,
  }),
  createMinimumSpend: route({
    method: 'POST',
    path: '/admin/minimum-spends',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Create a minimum spend',
    description:
      'The least that an organization’s months cost before tax, from the current month or later. Months can’t overlap with another minimum spend in the same currency.',
    input: z.strictObject({
      organizationId: id('org'),
      amount: acceptedMoney,
      fromMonth: z.optional(month),
      toMonth: z.optional(z.nullable(month)),
    }),
    output: MinimumSpend,
  }),
  endMinimumSpend: route({
    method: 'POST',
    path: '/admin/minimum-spends/:minimumSpendId/end',
    access: admin,
    idempotent: true,
    summary: 'End a minimum spend',
    description:
      'Sets its last month. The previous month ends it immediately; the month before its first one cancels it.',
    input: z.strictObject({ minimumSpendId: id('msp'), lastMonth: month }),
    output: MinimumSpend,
  }),
  ownMinimumSpends: route({
    method: 'GET',
    path: '/minimum-spends',
    access: { roles: ['User', 'ReadOnly'], apiKey: 'read' },
    isBatchable: true,
    summary: 'List your minimum spends',
    description: 'The least that your current month costs before tax, by currency.',
    input: noInput,
    output: z.strictObject({ items: z.array(OwnMinimumSpend) }),
  }),
} as const;

export const minimumErrors = {
  'oneoffs.minimum_not_found': 404,
  // Errors of fields.
  'oneoffs.minimum_not_positive': 400,
  'oneoffs.month_over': 400,
  'oneoffs.month_order': 400,
  'oneoffs.minimum_overlaps': 409,
  'oneoffs.minimum_overlaps_open': 409,
  'oneoffs.ends_earlier': 409,
} as const satisfies ErrorTable;
