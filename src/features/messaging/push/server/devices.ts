// A user's browsers: register, list, remove.
import { ECDH } from 'node:crypto';
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { targetIssue } from '#platform/server/outbound/outbound-pinned.ts';
import { maxDevices, pushErrors, type push, type PushDevice } from '../contract.ts';
import { countOtherDevices, deleteDevice, devicesOf, upsertDevice } from './store.ts';
import { vapidKeys } from './vapid.ts';

export async function listPushSubscriptions(ctx: Ctx): Promise<Out<typeof push.listPushSubscriptions>> {
  return { publicKey: vapidKeys(ctx.app).publicKey, items: await devicesOf(ctx, person(ctx).userId) };
}

/**
 * Registers the calling browser. Its endpoint comes from the client, so only https addresses of public hosts
 * are accepted.
 */
export async function addPushSubscription(
  ctx: Ctx,
  input: In<typeof push.addPushSubscription>,
  reply: Reply,
): Promise<PushDevice> {
  const { userId } = person(ctx);
  const issue = targetIssue(input.endpoint, ctx.app.config.mode !== 'production');
  if (issue) throw domainError(pushErrors, 'push.endpoint_refused', {}, ['endpoint']);
  if (!isOnCurve(input.keys.p256dh)) throw domainError(pushErrors, 'push.keys_wrong', {}, ['keys.p256dh']);
  if ((await countOtherDevices(ctx, userId, input.endpoint)) >= maxDevices)
    throw domainError(pushErrors, 'push.too_many', { count: maxDevices });
  return required(
    await upsertDevice(ctx, userId, {
      endpoint: input.endpoint,
      ...input.keys,
      device: reply.userAgent.slice(0, 300),
    }),
    'the browser that was registered',
  );
}

/** Whether this is a point of P-256; messages cannot be encrypted for any other. */
function isOnCurve(point: string): boolean {
  try {
    ECDH.convertKey(point, 'prime256v1', 'base64url');
    return true;
  } catch {
    // The library throws for an invalid point.
    return false;
  }
}

export async function removePushSubscription(
  ctx: Ctx,
  input: In<typeof push.removePushSubscription>,
): Promise<null> {
  if (!(await deleteDevice(ctx, person(ctx).userId, input.endpoint)))
    throw domainError(pushErrors, 'push.not_found');
  return null;
}
