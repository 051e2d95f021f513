// A subscription's history: who did what, when and why.
import type { In, Out } from '#kernel/contract.ts';
import { isId } from '#kernel/ids.ts';
import { domainError } from '#kernel/errors.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { servicesMap } from '#features/selling/catalogue/server/index.ts';
import { userById } from '#features/access/identity/server/index.ts';
import {
  historyActions,
  subscriptionsErrors,
  type HistoryAction,
  type HistoryEntry,
  type subscriptions,
} from '../contract.ts';
import { subscriptionById } from './store.ts';
import { transitionsOf } from './store-history.ts';

type HistoryActor = HistoryEntry['by'];

/**
 * Returns the history of one of the organization's subscriptions, without the names of the provider's staff.
 */
export async function history(
  ctx: Ctx,
  input: In<typeof subscriptions.history>,
): Promise<Out<typeof subscriptions.history>> {
  return historyOf(ctx, input.subscriptionId, tenant(ctx));
}

/** Returns the history of any subscription, with all names. */
export async function adminSubscriptionHistory(
  ctx: Ctx,
  input: In<typeof subscriptions.adminSubscriptionHistory>,
): Promise<Out<typeof subscriptions.adminSubscriptionHistory>> {
  return historyOf(ctx, input.subscriptionId, null);
}

async function historyOf(
  ctx: Ctx,
  subscriptionId: string,
  organizationId: string | null,
): Promise<{ items: HistoryEntry[] }> {
  const row = await subscriptionById(ctx.db, subscriptionId, organizationId);
  if (!row) throw domainError(subscriptionsErrors, 'subscriptions.not_found');
  const transitions = await transitionsOf(ctx, subscriptionId);
  const service = await servicesMap(ctx, [...new Set(transitions.flatMap((each) => each.serviceId ?? []))]);
  const people = new Map<string, HistoryActor>();
  for (const actor of new Set(transitions.map((each) => each.actor)))
    people.set(actor, await displayNameOf(ctx, actor, organizationId));
  const items = transitions.map((each): HistoryEntry => ({
    at: each.at,
    action: actionOf(each.action),
    from: each.from,
    to: each.to,
    by: people.get(each.actor) ?? { kind: 'system', name: '' },
    reason: each.said,
    service: each.serviceId === null ? null : service(each.serviceId).name,
    quantity: each.quantity,
    effectiveAt: each.effectiveAt,
  }));
  return { items };
}

async function displayNameOf(ctx: Ctx, actor: string, organizationId: string | null): Promise<HistoryActor> {
  if (!isId('usr', actor)) return { kind: 'system', name: '' };
  const user = await userById(ctx.db, actor);
  if (user && (organizationId === null || user.organizationId === organizationId))
    return { kind: user.role === 'Admin' ? 'operator' : 'person', name: user.name };
  return { kind: 'operator', name: '' };
}

/** Older histories contain other action names. */
function actionOf(word: string): HistoryAction {
  return historyActions.find((action) => action === word) ?? 'end';
}
