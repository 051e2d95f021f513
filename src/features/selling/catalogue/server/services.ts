// Routes to find services and price them.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { Page } from '#kernel/shape.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  catalogueErrors,
  type AdminService,
  type catalogue,
  type Estimate,
  type Service,
} from '../contract.ts';
import { chargesOf } from '../rules-estimate.ts';
import { estimatePricing } from './preview-pricing.ts';
import { requireService } from './find-service.ts';
import { interestCounts } from './store-interest.ts';
import { pricesFor } from './retail-prices.ts';
import { priceKey } from './store-prices.ts';
import { countTabs, pageOfServices, typesInUse } from './store.ts';
import type { ServiceUse } from './service-use.ts';

/** Returns the services on sale: active and upcoming ones. */
export async function listServices(
  ctx: Ctx,
  input: In<typeof catalogue.listServices>,
): Promise<Page<Service>> {
  const page = await pageOfServices(ctx, { ...input, status: 'active' });
  return { ...page, items: await asOffered(ctx, page.items) };
}

/** One active service. */
export async function getService(ctx: Ctx, input: In<typeof catalogue.getService>): Promise<Service> {
  const service = await requireService(ctx, input.serviceId);
  if (service.status !== 'active') throw domainError(catalogueErrors, 'catalogue.service_not_found');
  return required((await asOffered(ctx, [service]))[0], 'the offer of one service');
}

/** Returns services with the price for the caller's organization: the agreed price, if there is one. */
async function asOffered(ctx: Ctx, services: readonly Service[]): Promise<Service[]> {
  const organizationId = tenant(ctx);
  const prices = await pricesFor(
    ctx.db,
    services.map(({ id }) => ({ serviceId: id, organizationId })),
  );
  return services.map((service) => {
    const price = prices
      .get(priceKey({ serviceId: service.id, organizationId }))
      ?.findLast(({ effectiveFrom }) => effectiveFrom <= ctx.now);
    return price && price.id !== service.priceVersionId
      ? {
          ...service,
          pricing: price.pricing,
          charges: chargesOf(price.pricing, {
            name: service.name,
            meter: service.meter.eventType,
            billingCycle: service.billingCycle,
          }),
          priceVersionId: price.id,
          priceEffectiveFrom: price.effectiveFrom,
        }
      : service;
  });
}

export async function estimate(ctx: Ctx, input: In<typeof catalogue.estimate>): Promise<Estimate> {
  return estimatePricing((await getService(ctx, input)).pricing, input);
}

/** How many services each tab has. */
export async function serviceTabs(
  ctx: Ctx,
  input: In<typeof catalogue.serviceTabs>,
): Promise<Out<typeof catalogue.serviceTabs>> {
  return countTabs(ctx, { ...input, status: 'active' });
}

export async function serviceTypes(ctx: Ctx): Promise<Out<typeof catalogue.serviceTypes>> {
  return typesInUse(ctx);
}

/** Creates the Admin's read routes, given how services are used. */
export function adminServices({ subscriptionsOf }: ServiceUse) {
  const view = async (ctx: Ctx, services: readonly Service[]): Promise<AdminService[]> => {
    const ids = services.map((service) => service.id);
    const [counts, interested] = await Promise.all([subscriptionsOf(ctx, ids), interestCounts(ctx, ids)]);
    return services.map((service) => ({
      ...service,
      subscribers: counts.get(service.id)?.open ?? 0,
      interested: interested.get(service.id) ?? 0,
    }));
  };
  return {
    adminListServices: async (
      ctx: Ctx,
      input: In<typeof catalogue.adminListServices>,
    ): Promise<Page<AdminService>> => {
      const page = await pageOfServices(ctx, input);
      return { ...page, items: await view(ctx, page.items) };
    },
    adminGetService: async (ctx: Ctx, input: In<typeof catalogue.adminGetService>): Promise<AdminService> => {
      return required(
        (await view(ctx, [await requireService(ctx, input.serviceId)]))[0],
        'the view of one service',
      );
    },
  };
}
