// One run for an endpoint: sends its due deliveries, a few at a time, and stores their results. A slow
// endpoint occupies one slot for seconds, then pauses.
import pLimit from 'p-limit';
import * as z from 'zod/mini';
import { id } from '#kernel/shape.ts';
import { dayMs } from '#kernel/durations.ts';
import type { Ctx, App } from '#platform/server/unit-of-work/ctx.ts';
import { PostponeDelivery, type Sender } from '#platform/server/live/outbox.ts';
import { postPinned } from '#platform/server/outbound/outbound-pinned.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import { nextAttempt, pauseSecondsAfter } from '../rules.ts';
import { offAfterDays } from './settings.ts';
import { signedHeaders } from './signature.ts';
import { failWaiting } from './store-deliveries.ts';
import {
  claimEndpoint,
  dueDeliveries,
  releaseEndpoint,
  storeAttempts,
  recordSuccess,
  recordFailure,
  restsUntil,
  switchOff,
  type ClaimedEndpoint,
  type DueDelivery,
  type AttemptResult,
} from './store-claims.ts';

/** Outbox messages of this kind wake an endpoint. */
export const webhookKind = 'webhook';
const Wake = z.strictObject({ endpointId: id('whe') });
type Wake = z.output<typeof Wake>;
/** Runs a transaction when a database slot is free. */
type LimitedTransaction = <T>(run: (ctx: Ctx) => Promise<T>, mode?: 'write' | 'read') => Promise<T>;

const actor = { kind: 'system', name: 'webhooks' } as const;
/** How many endpoints can be awaited at the same time; each costs a socket. */
const endpointsAtOnce = 256;
/** How many database connections they use at the same time: all features share them. */
const unitsAtOnce = 4;
const atOnce = 4;
/**
 * A run starts no attempt after this time; even with the longest attempt it ends within the outbox's lease,
 * and a stopping console does not wait longer.
 */
const runMs = 5000;
const claimMs = 55_000;

/** Wakes an endpoint after the commit, or at a later moment. */
export function wake(ctx: Ctx, endpointId: Wake['endpointId'], at?: Date): void {
  ctx.send(webhookKind, ctx.newId('out'), { endpointId }, at);
}

/** The outbox's sender of webhooks. */
export function webhookSender(app: App): Sender {
  const slots = pLimit(unitsAtOnce);
  const unit: LimitedTransaction = (run, mode = 'write') =>
    slots(() => unitOfWork(app, { actor, mode }, run));
  return {
    atOnce: endpointsAtOnce,
    send: async ({ payload }) => deliverDue(app, unit, z.parse(Wake, payload).endpointId),
  };
}

async function deliverDue(app: App, unit: LimitedTransaction, endpointId: Wake['endpointId']): Promise<void> {
  const { claimed, rests, now } = await unit(async (ctx) => {
    const own = await claimEndpoint(ctx, endpointId, new Date(ctx.now.getTime() + claimMs));
    return { claimed: own, rests: own ? undefined : await restsUntil(ctx, endpointId), now: ctx.now };
  });
  if (rests) throw new PostponeDelivery(Math.max(1, Math.ceil((rests.getTime() - now.getTime()) / 1000)));
  // The endpoint is off, deleted, or claimed by another process, which checks again for new deliveries before
  // it releases the endpoint.
  if (!claimed) return;
  const started = performance.now();
  let failedTurns = claimed.failedTurns;
  while (performance.now() - started < runMs) {
    // After a failed run, a single delivery is tried before the others.
    const due = await unit((ctx) => dueDeliveries(ctx, endpointId, failedTurns > 0 ? 1 : atOnce), 'read');
    if (due.length === 0) break;
    const results = await Promise.all(due.map((delivery) => attempt(app, claimed, delivery)));
    const goesOn = await unit((ctx) => storeResults(ctx, claimed, results, failedTurns));
    if (!goesOn) break;
    failedTurns = 0;
  }
  await unit(async (ctx) => {
    const next = await releaseEndpoint(ctx, endpointId);
    if (next) wake(ctx, endpointId, next);
  });
}

/** Sends one delivery and determines its next state. */
async function attempt(
  app: App,
  { id: endpointId, url, secret, previousSecret }: ClaimedEndpoint,
  { id: deliveryId, body, tries, beganAt }: DueDelivery,
): Promise<AttemptResult> {
  const at = app.clock.now();
  const headers = signedHeaders(app, endpointId, {
    id: deliveryId,
    at,
    body,
    secrets: previousSecret ? [secret, previousSecret] : [secret],
  });
  const { status, failure, detail, ms, answer } = await postPinned(url, {
    headers,
    body,
    loopback: app.config.webhookLoopback,
  });
  const isGood = failure === null && status !== null && status >= 200 && status < 300;
  const next = isGood ? null : nextAttempt(tries + 1, beganAt, app.clock.now());
  return {
    id: deliveryId,
    at,
    status,
    failure: isGood ? null : (failure ?? 'status'),
    detail,
    ms,
    answer,
    next,
    state: isGood ? 'delivered' : next ? 'waiting' : 'parked',
  };
}

/** Stores the results of attempts; returns whether to continue sending to the endpoint. */
async function storeResults(
  ctx: Ctx,
  endpoint: ClaimedEndpoint,
  results: readonly AttemptResult[],
  failedTurns: number,
): Promise<boolean> {
  await storeAttempts(ctx, results);
  if (results.some((each) => each.status === 410)) {
    await disableEndpoint(ctx, endpoint, 'gone');
    return false;
  }
  if (results.some((each) => each.state === 'delivered')) {
    await recordSuccess(ctx, endpoint.id);
    return true;
  }
  const since = await recordFailure(ctx, endpoint.id, pauseSecondsAfter(failedTurns + 1));
  const days = await ctx.setting(offAfterDays);
  if (results.some((each) => each.state === 'parked') && ctx.now.getTime() - since.getTime() >= days * dayMs)
    await disableEndpoint(ctx, endpoint, 'failing', days);
  return false;
}

/** Disables an endpoint and notifies its organization, because only its members can fix it. */
async function disableEndpoint(
  ctx: Ctx,
  { id: endpointId, organizationId, url }: ClaimedEndpoint,
  reason: 'failing' | 'gone',
  days = 0,
): Promise<void> {
  if (!(await switchOff(ctx, endpointId, reason))) return;
  await failWaiting(ctx, endpointId);
  ctx.audit('webhooks.switchOff', endpointId, { reason, url });
  await postToOrganizations(ctx, [
    {
      organizationId,
      // used as: 'webhooks.notice_off_*'
      notice: {
        kind: 'webhook.disabled',
        type: 'warning',
        category: 'system',
        subject: endpointId,
        period: ctx.now.toISOString(),
        textKey: `webhooks.notice_off_${reason}`,
        params: { url, ...(reason === 'failing' && { days }) },
        link: `/user/profile?section=webhooks&endpoint=${endpointId}`,
      },
    },
  ]);
}
