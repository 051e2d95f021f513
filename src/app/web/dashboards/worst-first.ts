// Subscriptions with their quotas, those that need attention on top.
import type { Subscription } from '#features/subscriptions/contract.ts';
import type { UserDashboard } from '../../console/contract.ts';

export type Quota = UserDashboard['quotas']['items'][number];
export type Held = { readonly subscription: Subscription; readonly quota: Quota | undefined };

const ranks: Record<Quota['status'], number> = { Critical: 0, Warning: 1, Normal: 2 };
const rank = ({ quota }: Held): number => (quota ? ranks[quota.status] : ranks.Normal);

/** Critical ones first, then warnings; otherwise the order stays as it is. */
export function worstFirst(subscriptions: readonly Subscription[], quotas: readonly Quota[]): readonly Held[] {
  const byId = new Map(quotas.map((quota) => [quota.subscriptionId, quota]));
  return subscriptions.map((subscription): Held => ({ subscription, quota: byId.get(subscription.id) })).toSorted((a, b) => rank(a) - rank(b));
}
