// Projects the fees of subscriptions in months that are not billed yet, with the planning of real bills, so
// that known ends, plan changes, new prices and discounts are included.
import type { Currency } from '#kernel/money.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import {
  bothDeferred,
  chargedOfLines,
  deferredParts,
  settlesDeferral,
  termsAfter,
  withParts,
  type BillPlan,
  type DeferredOf,
  type DeferredPart,
  type Terms,
} from '../rules.ts';
import { planWithTerms } from './plan-month.ts';
import { deferredOf } from './store-deferral.ts';
import { closedFor } from './store-late.ts';
import { termsOf } from './terms.ts';

export type PlannedFee = {
  readonly organizationId: Id<'org'>;
  /** Of the line that charges the fee. */
  readonly serviceName: string;
  /** The month of the bill that charges it. */
  readonly billMonth: BillingMonth;
  readonly currency: Currency;
  /** The month the fee is for: fees for several months are spread over them. */
  readonly month: BillingMonth;
  readonly minor: bigint;
};

const feeKinds: ReadonlySet<string> = new Set(['base_fee', 'credit']);

/**
 * Returns the fees of some organizations on the unbilled bills of consecutive months, minus what discounts,
 * agreed rates and promotional credit take; what one bill uses up is not available to the next. Future usage
 * is unknown and not included.
 */
export async function plannedFees(
  ctx: Ctx,
  organizations: readonly Organization[],
  months: readonly BillingMonth[],
): Promise<PlannedFee[]> {
  const ids = organizations.map(({ id }) => id);
  const used = new Map<Id<'org'>, BillPlan['applied'][]>();
  const fees: PlannedFee[] = [];
  let ahead: DeferredOf = new Map();
  for (const month of months) {
    const inForce = await termsOf(ctx, ids, month);
    const left = (id: Id<'org'>): Terms => termsAfter(inForce(id), used.get(id) ?? []);
    // A month billed early, because the organization was closed down, already has its fees on that bill.
    const billed = await closedFor(ctx, ids, month);
    const { plans, others } = await planWithTerms(ctx, month, organizations, left);
    // Regardless of the payer: fees are revenue from the organization that uses the subscriptions.
    const open = [...plans]
      .filter(([id]) => !billed.has(id))
      .map(([id, own]) => [id, [...own, ...(others.get(id) ?? []).flatMap((part) => part.plans)]] as const);
    const there = bothDeferred(await deferredFor(ctx, open, month), ahead);
    for (const [id, ofOne] of open) {
      used.set(id, [...(used.get(id) ?? []), ...ofOne.map(({ applied }) => applied)]);
      for (const plan of ofOne) {
        const parts = deferredParts(month, plan.lines, there);
        ahead = withParts(ahead, plan.lines, parts);
        fees.push(...feesOf(id, plan, parts, month));
      }
    }
  }
  return fees;
}

/** Returns what issued bills have deferred of the months that planned bills refund. */
function deferredFor(
  ctx: Ctx,
  planned: readonly (readonly [Id<'org'>, readonly BillPlan[]])[],
  month: BillingMonth,
): Promise<DeferredOf> {
  const settling = planned.flatMap(([id, plans]) =>
    plans.flatMap(({ lines }) => lines.flatMap((line) => (settlesDeferral(month, line) ? { id, line } : []))),
  );
  return deferredOf(
    ctx,
    {
      organizationIds: settling.map(({ id }) => id),
      subscriptionIds: settling.flatMap(({ line }) => line.subscriptionId ?? []),
      month,
    },
    false,
  );
}

/**
 * Returns the fees of a planned bill by line: the part for the month itself, and `parts` for later months.
 */
function feesOf(
  organizationId: Id<'org'>,
  { currency, lines }: BillPlan,
  parts: readonly DeferredPart[],
  billMonth: BillingMonth,
): PlannedFee[] {
  const charged = chargedOfLines(
    lines.map(({ amount, term }) => ({ amount: amount.minor, shares: term?.shares })),
  );
  const deferred = Map.groupBy(parts, ({ position }) => position);
  return lines.flatMap(({ kind, serviceName }, index) => {
    if (!feeKinds.has(kind)) return [];
    const later = deferred.get(index + 1) ?? [];
    const now = later.reduce((left, { minor }) => left - minor, charged[index] ?? 0n);
    return [{ month: billMonth, minor: now }, ...later]
      .filter(({ minor }) => minor !== 0n)
      .map(({ month, minor }) => ({ organizationId, serviceName, billMonth, currency, month, minor }));
  });
}
