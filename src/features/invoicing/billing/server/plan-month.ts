// Plans the bills of some organizations in a month: the plan that a close issues, a preview sums up, and a
// member sees for the current month.
import { chunksOf } from '#kernel/chunks.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import { taxationsOfMonth } from './taxed-by.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import { termsAfter, type BillPlan, type Terms } from '../rules.ts';
import { planByPayer, type PayersPart } from '../rules-payers.ts';
import { billableOf } from './billable.ts';
import { lateLines, type LateLines } from './late-usage.ts';
import { payersOfMonth, type Payers } from './paid-by.ts';
import { lateBegins } from './store-closed-months.ts';
import { closedFor } from './store-late.ts';
import { termsOf } from './terms.ts';

/**
 * Planned bills by the organization that uses the services: those of its own payer, and those of others who
 * pay for its single subscriptions. Also the late usage that they settle, the number of subscriptions that
 * started late in the month, and the payers.
 */
export type MonthPlan = {
  readonly plans: ReadonlyMap<Id<'org'>, readonly BillPlan[]>;
  readonly others: ReadonlyMap<Id<'org'>, readonly PayersPart<Organization>[]>;
  readonly late: LateLines;
  readonly lateBegins: number;
  readonly payers: Payers;
};

// Plans are computed in this many parts; after each, the event loop serves other requests.
const parts = 4;

/** Returns the terms in force for each organization. */
type TermsFor = (organizationId: Id<'org'>) => Terms;

/** Plans a month's bills of some organizations. */
export async function planMonth(
  ctx: Ctx,
  month: BillingMonth,
  organizations: readonly Organization[],
): Promise<MonthPlan> {
  const terms = await termsOf(ctx, idsOf(organizations), month);
  return planWithTerms(ctx, month, organizations, terms);
}

/**
 * Plans the current month as it will be billed. A previous month that is over but not closed comes first:
 * credit that its bills will use, and one-time lines on them, are left out of this one.
 */
export async function planRunningMonth(
  ctx: Ctx,
  month: BillingMonth,
  organizations: readonly Organization[],
): Promise<MonthPlan> {
  return planWithTerms(ctx, month, organizations, await termsOfRunning(ctx, month, organizations));
}

/**
 * Returns the terms in force in the current month, minus what the bills of an unclosed previous month will
 * use.
 */
export async function termsOfRunning(
  ctx: Ctx,
  month: BillingMonth,
  organizations: readonly Organization[],
): Promise<TermsFor> {
  const terms = await termsOf(ctx, idsOf(organizations), month);
  const consuming = organizations.filter(({ id }) => isConsumed(terms(id)));
  const before = addMonths(month, -1);
  const closed = consuming.length === 0 ? new Set<string>() : await closedFor(ctx, idsOf(consuming), before);
  const open = consuming.filter(({ id }) => !closed.has(id));
  if (open.length === 0) return terms;
  const { plans } = await planMonth(ctx, before, open);
  return (id) =>
    termsAfter(
      terms(id),
      (plans.get(id) ?? []).map(({ applied }) => applied),
    );
}

const idsOf = (organizations: readonly Organization[]): Id<'org'>[] => organizations.map(({ id }) => id);
/** Whether an earlier bill can reduce the terms. */
const isConsumed = ({ oneOffs, discounts, commitments, grants }: Terms): boolean =>
  oneOffs.length > 0 || commitments.length > 0 || grants.length > 0 || discounts.some(({ isOnce }) => isOnce);

/**
 * Plans with the given terms. Late changes and late starts are read before usage and terms, so that a change
 * in between stays recorded.
 */
export async function planWithTerms(
  ctx: Ctx,
  month: BillingMonth,
  organizations: readonly Organization[],
  terms: TermsFor,
): Promise<MonthPlan> {
  const begins = await lateBegins(ctx, month);
  const late = await lateLines(ctx, organizations, month);
  const payers = await payersOfMonth(ctx, month, organizations);
  const taxation = await taxationsOfMonth(ctx, month, payers.all);
  const atOnce = Math.max(1, Math.ceil(organizations.length / parts));
  const plans = new Map<Id<'org'>, readonly BillPlan[]>();
  const others = new Map<Id<'org'>, readonly PayersPart<Organization>[]>();
  for (const chunk of chunksOf(organizations, atOnce)) {
    const billable = await billableOf(ctx, chunk, month);
    for (const organization of chunk) {
      const { id, timeZone } = organization;
      const planned = planByPayer({
        subscriptions: billable.get(id) ?? [],
        late: late.lines.get(id) ?? [],
        month,
        zone: timeZone,
        terms: terms(id),
        payerOf: (subscriptionId) => payers.ofSubscription(organization, subscriptionId),
        taxationOf: (payer) => taxation(payer.id),
      });
      plans.set(id, planned.own.plans);
      if (planned.others.length > 0) others.set(id, planned.others);
    }
  }
  return { plans, others, late, lateBegins: begins, payers };
}
