// SQL of the history of subscriptions.
import { sql } from 'kysely';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { HistoryAction, SubscriptionState } from '../contract.ts';

/** The details of a step: the new plan, its quantity, the time of a scheduled change. */
export type HistoryDetail = {
  readonly serviceId?: string;
  readonly quantity?: string;
  readonly effectiveAt?: Date;
};
export type Transition = {
  readonly at: Date;
  readonly action: HistoryAction;
  readonly from: SubscriptionState | null;
  readonly to: SubscriptionState;
  readonly detail?: HistoryDetail;
  readonly reason?: string;
  readonly isByItself?: boolean;
};
export type StoredTransition = {
  at: Date;
  action: string;
  from: SubscriptionState | null;
  to: SubscriptionState;
  actor: string;
  said: string;
  serviceId: string | null;
  quantity: string | null;
  effectiveAt: Date | null;
};

/** Stores an entry of the history. */
export async function insertTransition(
  ctx: Ctx,
  subscriptionId: string,
  { at, action, from, to, detail = {}, reason = '', isByItself = false }: Transition,
): Promise<void> {
  const { actor } = ctx;
  const actorText = isByItself
    ? 'course'
    : actor.kind === 'user'
      ? actor.userId
      : actor.kind === 'apiKey'
        ? actor.keyId
        : actor.kind === 'system'
          ? actor.name
          : 'anonymous';
  await sql`insert into subscription_transition (subscription_id, at, from_state, to_state, actor, reason, detail, said)
    values (${subscriptionId}, ${at}, ${from}, ${to}, ${actorText}, ${action}, ${JSON.stringify(detail)}::jsonb, ${reason})`.execute(
    ctx.db,
  );
}

/**
 * Returns the organization of the user who last paused a subscription or scheduled a pause; undefined if the
 * actor belongs to no organization.
 */
export async function pausedByOrganization(ctx: Ctx, subscriptionId: string): Promise<string | undefined> {
  const { rows } = await sql<{
    organizationId: string | null;
  }>`select u.organization_id as "organizationId" from subscription_transition t left join app_user u on u.id = t.actor
    where t.subscription_id = ${subscriptionId} and t.reason in ('stop', 'schedule_stop') and t.actor <> 'course' order by t.at desc, t.position desc limit 1`.execute(
    ctx.db,
  );
  return rows[0]?.organizationId ?? undefined;
}

/** Returns a subscription's history, newest first. */
export async function transitionsOf(ctx: Ctx, subscriptionId: string): Promise<StoredTransition[]> {
  const { rows } =
    await sql<StoredTransition>`select at, reason as action, from_state as "from", to_state as "to", actor, said, detail ->> 'serviceId' as "serviceId", detail ->> 'quantity' as quantity, (detail ->> 'effectiveAt')::timestamptz as "effectiveAt"
    from subscription_transition where subscription_id = ${subscriptionId} order by at desc, position desc`.execute(
      ctx.db,
    );
  return rows;
}
