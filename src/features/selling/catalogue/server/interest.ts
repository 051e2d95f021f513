// Users waiting for an upcoming service: registering, and notifying them once.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { postToUsers } from '#features/messaging/notifications/server/index.ts';
import { catalogueErrors, type catalogue, type Service } from '../contract.ts';
import { requireService } from './find-service.ts';
import { deleteInterest, insertInterest, interestsOf, takeInterested } from './store-interest.ts';

export async function listInterests(ctx: Ctx): Promise<Out<typeof catalogue.listInterests>> {
  return { serviceIds: await interestsOf(ctx, person(ctx).userId) };
}

/** Registers that the caller waits for a service; possible only for a visible, upcoming one. */
export async function showInterest(ctx: Ctx, input: In<typeof catalogue.showInterest>): Promise<null> {
  const service = await requireService(ctx, input.serviceId);
  if (service.status !== 'active') throw domainError(catalogueErrors, 'catalogue.service_not_found');
  if (service.releaseState !== 'Coming Soon') throw domainError(catalogueErrors, 'catalogue.not_coming');
  await insertInterest(ctx, service.id, person(ctx).userId);
  return null;
}

export async function withdrawInterest(
  ctx: Ctx,
  input: In<typeof catalogue.withdrawInterest>,
): Promise<null> {
  await deleteInterest(ctx, input.serviceId, person(ctx).userId);
  return null;
}

/**
 * Notifies all waiting users that the service is available, and removes them from the list, so that each is
 * notified once.
 */
export async function notifyInterested(ctx: Ctx, service: Service): Promise<void> {
  await postToUsers(ctx, await takeInterested(ctx, service.id), {
    kind: 'catalogue.available',
    type: 'info',
    category: 'system',
    subject: service.id,
    period: ctx.now.toISOString(),
    textKey: 'catalogue.available_note',
    params: { name: service.name },
    link: '/service/overview',
  });
}
