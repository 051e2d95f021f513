// Explains a line of a bill or of the current month.
import type { In } from '#kernel/contract.ts';
import { decimalText } from '#kernel/decimal.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { daysOfMonth } from '#kernel/time.ts';
import type { Id } from '#kernel/ids.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { priceVersionsByIds, servicesMap } from '#features/selling/catalogue/server/index.ts';
import { subscriptionById, type SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import { quantityOf } from '#features/metering/usage/rules.ts';
import {
  billedDays,
  daysOf,
  daysOfCharge,
  daysOfPeriod,
  measuredLine,
  type BilledDays,
  type DayOfUsage,
} from '#features/metering/usage/server/index.ts';
import { ratesOf, splitsOfBill, type SplitLine } from '#features/invoicing/commitments/server/index.ts';
import {
  billingErrors,
  userOf,
  type Bill,
  type billing,
  type BillLine,
  type LineExplanation,
  type LineSplit,
} from '../contract.ts';
import { billLineOf, runningMonth, shownLine } from './read.ts';
import { billById, linesOfBill, type StoredLine } from './store.ts';
import { isChangedSince } from './store-late.ts';

/** A bill whose lines are explained. */
type ExplainedBill = {
  /** The organization that used the services. */
  readonly organizationId: Id<'org'>;
  readonly month: BillingMonth;
  readonly currency: Currency;
  readonly lines: readonly StoredLine[];
  readonly splits: readonly SplitLine[];
  /** Undefined for the current month. */
  readonly issuedAt?: Date;
  /** A reseller sells it: its prices are computed and have no stored version. */
  readonly isRetail?: boolean;
};

/** Explains a line: its price version, the arithmetic, and the days whose usage adds up to its quantity. */
export async function explainLine(ctx: Ctx, input: In<typeof billing.explainLine>): Promise<LineExplanation> {
  return explainedLine(ctx, input, tenant(ctx));
}

/** The same for an Admin, for any organization's bill. */
export async function adminExplainLine(
  ctx: Ctx,
  input: In<typeof billing.adminExplainLine>,
): Promise<LineExplanation> {
  return explainedLine(ctx, input, null);
}

/** With an organization, only its bills are found; another organization's bill is treated as not found. */
async function explainedLine(
  ctx: Ctx,
  { billId, lineId }: In<typeof billing.explainLine>,
  ownerId: string | null,
): Promise<LineExplanation> {
  const bill = await billById(ctx, billId, ownerId);
  if (!bill) throw domainError(billingErrors, 'billing.bill_not_found');
  return explainedBill(ctx, bill, lineId);
}

/** Explains a line of a bill that the caller may read. */
export async function explainedBill(ctx: Ctx, bill: Bill, lineId: string): Promise<LineExplanation> {
  const { month, currency } = bill;
  const lines = await linesOfBill(ctx, bill.id, currency);
  const splits = await splitsOfBill(ctx, bill.id);
  return explained(
    ctx,
    { organizationId: userOf(bill), month, currency, lines, splits, issuedAt: bill.issuedAt },
    lineId,
  );
}

/** Explains a line of the current month; its position may belong to another line after the next event. */
export async function explainCurrentLine(
  ctx: Ctx,
  input: In<typeof billing.explainCurrentLine>,
): Promise<LineExplanation> {
  const { organization, month, plans, isRetail } = await runningMonth(ctx);
  const plan = plans.find(({ currency }) => currency === input.currency);
  const lines = (plan?.lines ?? []).map((line, index) => ({
    ...billLineOf(line, index),
    priceVersionId: line.priceVersionId as Id<'prv'> | null,
    steps: [...line.steps],
  }));
  const splits = (plan?.applied.commitments ?? []).flatMap(({ id, draws }) =>
    draws.flatMap(({ position, split }) => (split ? { commitmentId: id, position, ...split } : [])),
  );
  return explained(
    ctx,
    { organizationId: organization.id, month, currency: input.currency, lines, splits, isRetail },
    input.lineId,
  );
}

/** Explains one of a bill's lines. Throws if the bill has no such line. */
async function explained(ctx: Ctx, bill: ExplainedBill, lineId: string): Promise<LineExplanation> {
  const line = bill.lines.find((each) => each.id === lineId);
  if (!line) throw domainError(billingErrors, 'billing.line_not_found');
  const { priceVersionId, subscriptionId } = line;
  const version =
    priceVersionId === null || bill.isRetail === true
      ? undefined
      : required(
          (await priceVersionsByIds(ctx.db, [priceVersionId])).get(priceVersionId),
          'a billed price version',
        );
  const { days, later, areDaysBilled } =
    line.kind === 'usage' && subscriptionId !== null
      ? await usageDays(ctx, { subscriptionId, charge: line.charge, priceVersionId }, bill)
      : { days: [], later: [], areDaysBilled: true };
  return {
    line: shownLine(line),
    priceVersionId,
    priceEffectiveFrom: version?.effectiveFrom ?? null,
    steps: line.steps,
    shares: sharesOf(line, bill),
    split: await splitOf(ctx, line, bill),
    days: days.map(dayText),
    events: days.reduce((sum, day) => sum + Number(day.events), 0),
    areDaysBilled,
    later: later.map(dayText),
  };
}

const splitAt = ({ splits }: ExplainedBill, lineId: string): SplitLine | undefined =>
  splits.find(({ position }) => String(position) === lineId);

/** Which part of a split line a commitment's rate line applies to. */
const rateParts: Partial<Record<BillLine['kind'], 'within' | 'beyond'>> = {
  committed_rate: 'within',
  overage_rate: 'beyond',
};

/** What a term took from which lines; for a commitment's rate, from which part of a split line. */
function sharesOf({ kind, term }: BillLine, bill: ExplainedBill): LineExplanation['shares'] {
  const part = rateParts[kind];
  return (term?.shares ?? []).map((share) => {
    const covered = required(
      bill.lines.find((each) => each.id === share.lineId),
      'a line that a term took from',
    );
    const split = part && splitAt(bill, covered.id);
    return {
      line: shownLine(covered),
      amount: share.amount,
      ...(split && { part: money(split[part], bill.currency) }),
    };
  });
}

async function splitOf(ctx: Ctx, { id }: BillLine, bill: ExplainedBill): Promise<LineSplit | null> {
  const split = splitAt(bill, id);
  if (!split) return null;
  const { commitmentId, within, beyond } = split;
  return {
    id: commitmentId,
    ...required(
      (await ratesOf(ctx, [commitmentId])).get(commitmentId),
      'the commitment that a line draws of',
    ),
    within: money(within, bill.currency),
    beyond: money(beyond, bill.currency),
  };
}

async function usageDays(
  ctx: Ctx,
  {
    subscriptionId,
    charge,
    priceVersionId,
  }: {
    readonly subscriptionId: Id<'sub'>;
    readonly charge: BillLine['charge'];
    readonly priceVersionId: string | null;
  },
  { organizationId, month, issuedAt }: ExplainedBill,
): Promise<Pick<BilledDays, 'days' | 'later'> & Pick<LineExplanation, 'areDaysBilled'>> {
  const subscription = required(
    await subscriptionById(ctx.db, subscriptionId, organizationId),
    'a billed subscription',
  );
  const now = await daysNow(ctx, subscription, month, priceVersionId, charge?.key);
  if (issuedAt === undefined) return { days: now, later: [], areDaysBilled: true };
  const line =
    priceVersionId === null
      ? undefined
      : await measuredLine(ctx, subscription, month, priceVersionId, charge?.key);
  const { days, later, basis } = line
    ? await billedDays(ctx, subscription, month, line, now, issuedAt)
    : { days: now, later: [], basis: 'no_later_events' };
  // The events may be gone, or those of another month may have changed a level; what was settled since is kept.
  const areDaysBilled =
    basis === 'recomputed' ||
    (basis === 'no_later_events' && !(await isChangedSince(ctx, { subscriptionId, month, issuedAt })));
  return { days, later, areDaysBilled };
}

/** The days of a line as they would be billed now. */
async function daysNow(
  ctx: Ctx,
  subscription: SubscriptionRow,
  month: BillingMonth,
  priceVersionId: string | null,
  charge: string | undefined,
): Promise<readonly DayOfUsage[]> {
  const ofPeriod =
    priceVersionId === null
      ? undefined
      : await daysOfPeriod(ctx, subscription, month, priceVersionId, charge);
  if (ofPeriod) return ofPeriod;
  if (charge !== undefined) return daysOfCharge(ctx, subscription, charge, month);
  const service = (await servicesMap(ctx, [subscription.serviceId]))(subscription.serviceId);
  const { meter } = service;
  const days = daysOfMonth(month);
  const rollup = await daysOf(
    ctx,
    [{ subscription, service }],
    subscription.timeZone,
    required(days[0], 'a first day'),
    required(days.at(-1), 'a last day'),
  );
  return days.flatMap((day) => {
    const found = rollup(subscription.id, day);
    return found ? [{ day, quantity: quantityOf(found, meter.aggregation), events: found.eventCount }] : [];
  });
}

const dayText = ({ day, quantity, events }: DayOfUsage): LineExplanation['days'][number] => ({
  day,
  quantity: decimalText(quantity),
  events: Number(events),
});
