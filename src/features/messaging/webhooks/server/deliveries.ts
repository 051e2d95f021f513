// The deliveries of an endpoint, and sending them again.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import {
  webhooksErrors,
  type Delivery,
  type DeliveryDetail,
  type Endpoint,
  type webhooks,
} from '../contract.ts';
import { ownEndpoint } from './endpoints.ts';
import {
  deliveryDetail,
  deliveryOf,
  pageOfDeliveries,
  repeatDelivery,
  repeatFailed,
} from './store-deliveries.ts';
import { endRest } from './store-claims.ts';
import { queueTestDelivery } from './queue-deliveries.ts';
import { wake } from './deliver.ts';

export async function listDeliveries(
  ctx: Ctx,
  input: In<typeof webhooks.listDeliveries>,
): Promise<Out<typeof webhooks.listDeliveries>> {
  await ownEndpoint(ctx, input.endpointId);
  return pageOfDeliveries(ctx, input);
}

export async function getDelivery(
  ctx: Ctx,
  { endpointId, deliveryId }: In<typeof webhooks.getDelivery>,
): Promise<DeliveryDetail> {
  await ownEndpoint(ctx, endpointId);
  return found(await deliveryDetail(ctx, endpointId, deliveryId));
}

function found<T>(delivery: T | undefined): T {
  if (!delivery) throw domainError(webhooksErrors, 'webhooks.delivery_not_found');
  return delivery;
}

/**
 * Returns an enabled endpoint, locked so that it stays enabled until this transaction ends. A user's request
 * does not wait for the endpoint's pause.
 */
async function endpointThatIsOn(ctx: Ctx, endpointId: string): Promise<Endpoint> {
  const endpoint = await ownEndpoint(ctx, endpointId, true);
  if (!endpoint.isOn) throw domainError(webhooksErrors, 'webhooks.is_off');
  await endRest(ctx, endpointId);
  return endpoint;
}

/** Sends a test event. */
export async function sendTest(ctx: Ctx, { endpointId }: In<typeof webhooks.sendTest>): Promise<Delivery> {
  await endpointThatIsOn(ctx, endpointId);
  const organizationId = tenant(ctx);
  const { language } = required(await organizationById(ctx.db, organizationId), 'the own organization');
  const deliveryId = await queueTestDelivery(ctx, { id: endpointId, organizationId, language });
  ctx.audit('webhooks.sendTest', endpointId, { delivery: deliveryId });
  return found(await deliveryOf(ctx, endpointId, deliveryId));
}

/** Resends a delivery: a new round of attempts with the same bytes and id. */
export async function replayDelivery(
  ctx: Ctx,
  { endpointId, deliveryId }: In<typeof webhooks.replayDelivery>,
): Promise<Delivery> {
  await endpointThatIsOn(ctx, endpointId);
  found(await deliveryOf(ctx, endpointId, deliveryId));
  await repeatDelivery(ctx, deliveryId);
  wake(ctx, endpointId);
  ctx.audit('webhooks.replayDelivery', endpointId, { delivery: deliveryId });
  return found(await deliveryOf(ctx, endpointId, deliveryId));
}

/** Resends all failed deliveries since a moment. */
export async function replayFailed(
  ctx: Ctx,
  { endpointId, since }: In<typeof webhooks.replayFailed>,
): Promise<Out<typeof webhooks.replayFailed>> {
  await endpointThatIsOn(ctx, endpointId);
  const replayed = await repeatFailed(ctx, endpointId, since);
  if (replayed > 0) wake(ctx, endpointId);
  ctx.audit('webhooks.replayFailed', endpointId, { since: since.toISOString(), replayed });
  return { replayed };
}
