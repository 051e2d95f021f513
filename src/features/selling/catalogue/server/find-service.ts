// Finds services, for other features and for the catalogue's own routes.
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { catalogueErrors, type Service } from '../contract.ts';
import { lockService, servicesByIds } from './store.ts';

/** Returns one service; throws if it does not exist. */
export async function requireService(ctx: Ctx, serviceId: string): Promise<Service> {
  const [service] = await servicesByIds(ctx.db, [serviceId], ctx.now);
  if (!service) throw domainError(catalogueErrors, 'catalogue.service_not_found');
  return service;
}

/**
 * Like {@link requireService}, and no other transaction can change the service, its prices or its overrides
 * until this one ends.
 */
export async function requireLockedService(ctx: Ctx, serviceId: string): Promise<Service> {
  await lockService(ctx, serviceId);
  return requireService(ctx, serviceId);
}

/** One service by id, if there is one. */
export async function serviceById(ctx: Ctx, serviceId: string): Promise<Service | undefined> {
  return (await servicesByIds(ctx.db, [serviceId], ctx.now))[0];
}

/** Returns services by id, as a map. Throws if one is missing: a subscription's service always exists. */
export async function servicesMap(ctx: Ctx, ids: readonly string[]): Promise<(id: string) => Service> {
  const found = new Map(
    (await servicesByIds(ctx.db, ids, ctx.now)).map((service) => [service.id as string, service]),
  );
  return (id) => required(found.get(id), `service ${id}`);
}
