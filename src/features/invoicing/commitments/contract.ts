// Commitments: what an organization commits to spend over a term, its progress, and the price beyond it.
import * as z from 'zod/mini';
import { contract, file, noInput, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  acceptedMoney,
  currency,
  id,
  instant,
  language,
  moneyShape,
  month,
  optionalText,
  pageOf,
  pageQuery,
  text,
} from '#kernel/shape.ts';
import { GivenScope, GrantScope } from '#features/invoicing/credit-grants/contract.ts';

/** The period of each committed amount; `contract`: the whole term. */
export const commitmentPeriods = ['month', 'quarter', 'year', 'contract'] as const;
export type CommitmentPeriod = (typeof commitmentPeriods)[number];
/**
 * What is owed for the period in which a commitment ends early: nothing, the prorated amount up to that
 * month, the whole amount, or also the amounts of all later periods.
 */
export const settlements = ['none', 'prorated', 'period', 'all'] as const;
export type Settlement = (typeof settlements)[number];
export const commitmentStates = ['upcoming', 'active', 'ended'] as const;
export type CommitmentState = (typeof commitmentStates)[number];
/** The projection of a current period: on track, heading for a true-up, or used up before its last month. */
export const commitmentRisks = ['on_track', 'behind', 'over'] as const;
export type CommitmentRisk = (typeof commitmentRisks)[number];
/** `awaiting_bill`: over, but the bill that settles it is not issued yet. */
export const periodStates = ['upcoming', 'running', 'awaiting_bill', 'settled'] as const;
export type PeriodState = (typeof periodStates)[number];

export const maxMonths = 120;
/** How many months ahead a commitment may start. */
export const maxMonthsAhead = 60;
/** The maximum number of integer digits of a committed amount. */
export const maxAmountDigits = 12;

const bothLanguages = z.strictObject({ zhTW: z.string(), enUS: z.string() });

const period = {
  /** Zero-based. */
  index: z.int(),
  firstMonth: month,
  /** The month whose bill settles it. */
  lastMonth: month,
  amount: moneyShape,
  /** The amount owed when it is settled: the committed amount, unless the commitment ended early. */
  target: moneyShape,
  /** By bills in force. */
  drawn: moneyShape,
  /** Charged because less was drawn than committed. */
  trueUp: moneyShape,
  state: z.enum(periodStates),
};
export const Period = z.strictObject(period);
export type Period = z.output<typeof Period>;
/** For a current period: `used` includes what open months will draw based on usage so far. */
export const Outlook = z.strictObject({
  used: moneyShape,
  /** The projected draw at the end of the period. */
  expected: moneyShape,
  /** The projected true-up. */
  trueUp: moneyShape,
  risk: z.enum(commitmentRisks),
});
export type ShownOutlook = z.output<typeof Outlook>;

const shown = {
  id: id('cmt'),
  name: bothLanguages,
  state: z.enum(commitmentStates),
  currency,
  scope: GrantScope,
  startsOn: month,
  months: z.int(),
  /** The last month that counts; before `startsOn` if it ended before it started. */
  lastMonth: month,
  period: z.enum(commitmentPeriods),
  /** The percentage of the price until the period's amount is used up. */
  committedPercent: z.string(),
  /** The percentage of the price beyond it. */
  overagePercent: z.string(),
  /** The current period; for an upcoming commitment its first, for an ended one its last. */
  current: z.nullable(z.strictObject({ ...period, outlook: z.nullable(Outlook) })),
  settlement: z.nullable(z.enum(settlements)),
  endedAt: z.nullable(instant),
  createdAt: instant,
};
const ofOperator = {
  organizationId: id('org'),
  organization: z.string(),
  note: z.string(),
  createdBy: z.string(),
  endedBy: z.nullable(z.string()),
  endReason: z.nullable(z.string()),
};
export const Commitment = z.strictObject({ ...shown, ...ofOperator });
export type Commitment = z.output<typeof Commitment>;
/** A commitment as its organization sees it, with its periods in order. */
export const OwnCommitment = z.strictObject({ ...shown, periods: z.array(Period) });
export type OwnCommitment = z.output<typeof OwnCommitment>;
export const Use = z.strictObject({
  bill: z.strictObject({ id: id('bil'), number: z.string() }),
  month,
  periodIndex: z.int(),
  /** Negative if refunds returned part of it. */
  drawn: moneyShape,
  /** Negative if it was returned. */
  trueUp: moneyShape,
  isSettlement: z.boolean(),
  at: instant,
  /** When the bill was voided. */
  releasedAt: z.nullable(instant),
});
export type Use = z.output<typeof Use>;
export const CommitmentDetail = z.strictObject({
  ...shown,
  ...ofOperator,
  /** As agreed, one for each period. */
  amounts: z.array(moneyShape),
  /** Without those after an early end. */
  periods: z.array(Period),
  /** Newest first. */
  uses: z.array(Use),
  /**
   * The earliest month with which it may still end early; null if it has ended, or ends with its last month.
   */
  endsFrom: z.nullable(month),
});
export type CommitmentDetail = z.output<typeof CommitmentDetail>;

const admin = { roles: ['Admin'] } as const;
const one = { commitmentId: id('cmt') };
const name = text(80);
const names = z.strictObject({ zhTW: name, enUS: name });
/** In percent, for example "80"; the rules check the range. */
const percent = z.string().check(z.regex(/^\d{1,24}(\.\d{1,12})?$/));
const filter = {
  q: pageQuery.q,
  organizationId: z.optional(id('org')),
  state: z.optional(z.enum(commitmentStates)),
  /** Filters commitments whose period is current, by their estimate within the last hour. */
  risk: z.optional(z.enum(commitmentRisks)),
  currency: z.optional(currency),
};

export const commitments = contract({
  adminListCommitments: route({
    method: 'GET',
    path: '/admin/commitments',
    access: admin,
    isBatchable: true,
    summary: 'List all commitments',
    description: 'Includes the forecast of their current periods.',
    input: z.strictObject({ ...pageQuery, ...filter }),
    output: pageOf(Commitment),
  }),
  adminExportCommitments: route({
    method: 'GET',
    path: '/admin/commitments/export',
    access: admin,
    atOnce: 2,
    summary: 'Export commitments',
    description: 'Those that match a filter.',
    input: z.strictObject({
      ...filter,
      sort: pageQuery.sort,
      format: z.enum(['csv', 'xlsx']),
      language: z.optional(language),
    }),
    output: file,
  }),
  adminGetCommitment: route({
    method: 'GET',
    path: '/admin/commitments/:commitmentId',
    access: admin,
    summary: 'Get a commitment',
    description: 'Includes its periods and what each bill drew.',
    input: z.strictObject(one),
    output: CommitmentDetail,
  }),
  makeCommitment: route({
    method: 'POST',
    path: '/admin/commitments',
    access: admin,
    status: 201,
    idempotent: true,
    fresh: true,
    summary: 'Create a commitment',
    description: 'What an organization commits to spend. The terms never change, but it can end early.',
    input: z.strictObject({
      organizationId: id('org'),
      name: names,
      scope: z.optional(GivenScope),
      /** The first month whose bill draws from it; defaults to the organization’s current month. */
      startsOn: z.optional(month),
      /** A multiple of the period’s months. */
      months: z.int().check(z.minimum(1), z.maximum(maxMonths)),
      period: z.enum(commitmentPeriods),
      /** One for each period, or one for all of them. */
      amounts: z.array(acceptedMoney).check(z.minLength(1), z.maxLength(maxMonths)),
      committedPercent: z.optional(percent),
      overagePercent: z.optional(percent),
      note: z.optional(optionalText(500)),
    }),
    output: CommitmentDetail,
  }),
  updateCommitment: route({
    method: 'PATCH',
    path: '/admin/commitments/:commitmentId',
    access: admin,
    summary: 'Update a commitment',
    description: 'Changes its name or note.',
    input: z.strictObject({ ...one, name: z.optional(names), note: z.optional(optionalText(500)) }),
    output: CommitmentDetail,
  }),
  endCommitment: route({
    method: 'POST',
    path: '/admin/commitments/:commitmentId/end',
    access: admin,
    idempotent: true,
    fresh: true,
    summary: 'End a commitment early',
    description: 'With a month that isn’t billed yet. That month’s bill settles what’s due.',
    input: z.strictObject({
      ...one,
      lastMonth: month,
      settlement: z.enum(settlements),
      reason: text(500),
    }),
    output: CommitmentDetail,
  }),
  ownCommitments: route({
    method: 'GET',
    path: '/commitments',
    access: { roles: ['User', 'ReadOnly'], apiKey: 'read' },
    isBatchable: true,
    summary: 'List your commitments',
    description: 'How much is used, what’s expected, and each period so far.',
    input: noInput,
    output: z.strictObject({ items: z.array(OwnCommitment) }),
  }),
});

export const commitmentsErrors = {
  'commitments.not_found': 404,
  'commitments.has_ended': 409,
  // Invalid fields: the response names the field (400).
  'commitments.service_unknown': 400,
  'commitments.starts_too_early': 400,
  'commitments.starts_too_late': 400,
  'commitments.months_not_whole_periods': 400,
  'commitments.amounts_wrong_number': 400,
  'commitments.amount_not_positive': 400,
  'commitments.amount_too_large': 400,
  'commitments.amounts_other_currency': 400,
  'commitments.percent_out_of_range': 400,
  'commitments.ends_too_early': 400,
  'commitments.ends_anyway': 400,
  'commitments.month_billed': 400,
  'commitments.nothing_to_settle': 400,
} as const satisfies ErrorTable;
