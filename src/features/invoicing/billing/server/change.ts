// Compares a bill with the previous month's, and loads the prices and subscriptions needed for it.
import { money } from '#kernel/money.ts';
import { addMonths, monthPeriod } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { priceVersionsByIds } from '#features/selling/catalogue/server/index.ts';
import { subscriptionsByIds } from '#features/selling/subscriptions/server/index.ts';
import type { Bill, BillDetail } from '../contract.ts';
import { changeBetween } from '../rules-change.ts';
import type { ComparedLine } from '../rules-price-effect.ts';
import type { ComparedChange } from './bill-words.ts';
import { linesOfBill, type StoredLine } from './store.ts';
import { billOfMonth, previousBill } from './store-compared.ts';

/** Converts a stored line for the comparison. */
export const compared = (line: StoredLine): ComparedLine => ({ ...line, amount: line.total });

/**
 * Returns the change from the previous month's bill, if there is one in the same currency paid by the same
 * organization; for the organization that used the services (`isForUser`), whoever pays. Bills of single
 * subscriptions are compared only with each other. A bill of a one-off charge has no predecessor.
 */
export async function changeOf(
  ctx: Ctx,
  bill: Pick<Bill, 'kind' | 'organizationId' | 'usedBy' | 'bySubscription' | 'month' | 'currency' | 'total'>,
  lines: readonly ComparedLine[],
  isForUser = false,
): Promise<BillDetail['change']> {
  if (bill.kind !== 'month') return null;
  const previous = await billOfMonth(ctx, bill, addMonths(bill.month, -1));
  if (!previous) return null;
  // A new payer must not learn what another one was billed before.
  if (!isForUser && previous.organizationId !== bill.organizationId) return null;
  const before = (await linesOfBill(ctx, previous.id, previous.currency)).map(compared);
  // Only a subscription that is on just one of the bills can have started or ended in between.
  const idsOf = (compared: readonly ComparedLine[]): Set<string> =>
    new Set(compared.flatMap(({ subscriptionId }) => subscriptionId ?? []));
  const [now, earlier] = [idsOf(lines), idsOf(before)];
  const subscriptions = new Map(
    (
      await subscriptionsByIds(
        ctx.db,
        [...now].filter((id) => !earlier.has(id)).concat([...earlier].filter((id) => !now.has(id))),
      )
    ).map((each) => [each.id as string, each]),
  );
  const isPriced = (line: ComparedLine): boolean => line.kind === 'usage' || line.charge !== undefined;
  const repriced = lines.some(
    (line) =>
      isPriced(line) &&
      line.subscriptionId !== null &&
      earlier.has(line.subscriptionId) &&
      !before.some((each) => each.priceVersionId === line.priceVersionId),
  );
  const priced = [...lines, ...before].filter(isPriced);
  const versions = repriced
    ? await priceVersionsByIds(ctx.db, [
        ...new Set(priced.flatMap(({ priceVersionId }) => priceVersionId ?? [])),
      ])
    : undefined;
  return changeBetween(
    { total: bill.total, lines },
    { total: previous.total, lines: before },
    {
      began: (id) => {
        const subscription = subscriptions.get(id);
        return (
          subscription !== undefined &&
          subscription.startedAt >= monthPeriod(bill.month, subscription.timeZone).start
        );
      },
      ended: (id) => {
        const subscription = subscriptions.get(id);
        return (
          subscription !== undefined &&
          subscription.endsAt !== null &&
          subscription.endsAt <= monthPeriod(bill.month, subscription.timeZone).end
        );
      },
      pricingOf: (id) => versions?.get(id)?.pricing,
    },
  );
}

/**
 * Returns the change shown on a bill's document: against the previous month's last bill issued before it,
 * using only what both bills state. Nothing that happens later, to either bill or to a subscription, changes
 * the sentence.
 */
export async function changeOnPaper(
  ctx: Ctx,
  bill: Pick<Bill, 'id' | 'kind' | 'organizationId' | 'usedBy' | 'month' | 'currency' | 'total'>,
  lines: readonly ComparedLine[],
): Promise<ComparedChange | null> {
  if (bill.kind !== 'month') return null;
  const previous = await previousBill(ctx, bill, addMonths(bill.month, -1));
  if (!previous) return null;
  const before = (await linesOfBill(ctx, previous.id, bill.currency)).map(compared);
  // The document does not list causes; the services that changed most follow from the two bills alone.
  const { difference, percent, direction, movers } = changeBetween(
    { total: bill.total, lines },
    { total: money(previous.totalMinor, bill.currency), lines: before },
    { began: () => false, ended: () => false, pricingOf: () => undefined },
  );
  return { against: previous.number, difference, percent, direction, movers };
}
