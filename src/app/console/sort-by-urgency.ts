// Sorts subscriptions for a small list: those that need attention first.
import { decimal, isZero } from '#kernel/decimal.ts';
import type { Subscription } from '#features/selling/subscriptions/contract.ts';
import type { QuotaState } from '#features/metering/quotas/contract.ts';

const ranks: Record<QuotaState['status'], number> = { Critical: 0, Warning: 1, Normal: 2 };
/** The rank of subscriptions without usage and fee, which come last. */
const idle = 4;

/** Critical quotas, warnings, other quotas, usage or a fee, then the rest; stable within each group. */
export function sortByUrgency(
  subscriptions: readonly Subscription[],
  quotas: readonly QuotaState[],
): Subscription[] {
  const statuses = new Map(quotas.map((quota) => [quota.subscriptionId, quota.status]));
  const rank = ({ id, usage, monthlyFee }: Subscription): number => {
    const status = statuses.get(id);
    if (status !== undefined) return ranks[status];
    return isZero(decimal(usage)) && isZero(decimal(monthlyFee)) ? idle : ranks.Normal + 1;
  };
  return subscriptions.toSorted((a, b) => rank(a) - rank(b));
}
