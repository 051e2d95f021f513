// An organization's endpoints: creating, changing, enabling, rotating secrets, deleting. Every change is
// audited.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { ValidationError, domainError } from '#kernel/errors.ts';
import { hourMs } from '#kernel/durations.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { targetIssue } from '#platform/server/outbound/outbound-pinned.ts';
import { maxEndpoints, webhooksErrors, type Endpoint, type webhooks } from '../contract.ts';
import { usualOverlapHours } from '../rules.ts';
import { newSecret } from './signature.ts';
import {
  changeEndpoint,
  countEndpoints,
  deleteEndpointRow,
  dropPreviousSecret,
  endpointOf,
  insertEndpoint,
  pageOfEndpoints,
  replaceEndpointSecret,
} from './store.ts';
import { failWaiting } from './store-deliveries.ts';

type WithSecret = Out<typeof webhooks.createEndpoint>;

/** Returns one of the caller's organization's endpoints; throws when it does not exist. */
export async function ownEndpoint(ctx: Ctx, endpointId: string, isLocked = false): Promise<Endpoint> {
  const found = await endpointOf(ctx, tenant(ctx), endpointId, isLocked);
  if (!found) throw domainError(webhooksErrors, 'webhooks.not_found');
  return found;
}

/** Throws a field error for an address to which this console does not send. */
export function assertTarget(ctx: Ctx, url: string): void {
  const issue = targetIssue(url, ctx.app.config.webhookLoopback);
  // used as: 'webhooks.url_*'
  if (issue) throw new ValidationError([{ field: 'url', code: `webhooks.url_${issue}` }]);
}

export async function listEndpoints(
  ctx: Ctx,
  input: In<typeof webhooks.listEndpoints>,
): Promise<Out<typeof webhooks.listEndpoints>> {
  return pageOfEndpoints(ctx, tenant(ctx), input);
}

export async function getEndpoint(
  ctx: Ctx,
  { endpointId }: In<typeof webhooks.getEndpoint>,
): Promise<Endpoint> {
  return ownEndpoint(ctx, endpointId);
}

/** Adds an endpoint; its secret is only in this answer. */
export async function createEndpoint(
  ctx: Ctx,
  input: In<typeof webhooks.createEndpoint>,
): Promise<WithSecret> {
  assertTarget(ctx, input.url);
  const organizationId = tenant(ctx);
  if ((await countEndpoints(ctx, organizationId)) >= maxEndpoints)
    throw domainError(webhooksErrors, 'webhooks.too_many', { most: maxEndpoints });
  const id = ctx.newId('whe');
  const { secret, sealed, hint } = newSecret(ctx.app, id);
  await insertEndpoint(ctx, {
    id,
    organizationId,
    url: input.url,
    description: input.description ?? '',
    eventTypes: input.eventTypes ?? null,
    secret: sealed,
    hint,
    createdBy: person(ctx).userId,
  });
  ctx.audit('webhooks.createEndpoint', id, { url: input.url, eventTypes: input.eventTypes ?? null });
  return {
    endpoint: required(await endpointOf(ctx, organizationId, id), 'the endpoint that was just made'),
    secret,
  };
}

/** Changes an endpoint. Disabling it fails its waiting deliveries, which can be resent later. */
export async function updateEndpoint(
  ctx: Ctx,
  { endpointId, ...input }: In<typeof webhooks.updateEndpoint>,
): Promise<Endpoint> {
  if (input.url !== undefined) assertTarget(ctx, input.url);
  const before = await ownEndpoint(ctx, endpointId, true);
  const isOn = input.isOn ?? before.isOn;
  const url = input.url ?? before.url;
  await changeEndpoint(ctx, endpointId, {
    url,
    description: input.description ?? before.description,
    eventTypes: input.eventTypes === undefined ? before.eventTypes : input.eventTypes,
    offReason: isOn ? null : (before.offReason ?? 'by_hand'),
    isFresh: url !== before.url || (isOn && !before.isOn),
  });
  if (!isOn) await failWaiting(ctx, endpointId);
  ctx.audit('webhooks.updateEndpoint', endpointId, {
    before: {
      url: before.url,
      description: before.description,
      eventTypes: before.eventTypes,
      isOn: before.isOn,
    },
    after: input,
  });
  return ownEndpoint(ctx, endpointId);
}

export async function deleteEndpoint(
  ctx: Ctx,
  { endpointId }: In<typeof webhooks.deleteEndpoint>,
): Promise<null> {
  const { url } = await ownEndpoint(ctx, endpointId);
  if (!(await deleteEndpointRow(ctx, tenant(ctx), endpointId)))
    throw domainError(webhooksErrors, 'webhooks.not_found');
  ctx.audit('webhooks.deleteEndpoint', endpointId, { url });
  return null;
}

/**
 * Gives an endpoint a new secret. The secret before the current one ends now even if its overlap is not over,
 * so that at most two sign.
 */
export async function rotateSecret(
  ctx: Ctx,
  { endpointId, overlapHours = usualOverlapHours }: In<typeof webhooks.rotateSecret>,
): Promise<WithSecret> {
  const before = await ownEndpoint(ctx, endpointId, false);
  const locked = await ownEndpoint(ctx, endpointId, true);
  // Of two concurrent rotations only one succeeds, so that no secret in use is lost.
  if (locked.secretHint !== before.secretHint) throw domainError(webhooksErrors, 'webhooks.secret_changed');
  const { secret, sealed, hint } = newSecret(ctx.app, endpointId);
  await replaceEndpointSecret(ctx, endpointId, {
    sealed,
    hint,
    previousUntil: overlapHours === 0 ? null : new Date(ctx.now.getTime() + overlapHours * hourMs),
  });
  ctx.audit('webhooks.rotateSecret', endpointId, { overlapHours });
  return { endpoint: await ownEndpoint(ctx, endpointId), secret };
}

/** Ends the overlap now. */
export async function endPreviousSecret(
  ctx: Ctx,
  { endpointId }: In<typeof webhooks.endPreviousSecret>,
): Promise<Endpoint> {
  await ownEndpoint(ctx, endpointId, true);
  await dropPreviousSecret(ctx, endpointId);
  ctx.audit('webhooks.endPreviousSecret', endpointId);
  return ownEndpoint(ctx, endpointId);
}
