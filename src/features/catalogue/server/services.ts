// The catalogue's calls: looking services up, making them, changing them, pricing them.
import type { In, Out } from '#kernel/contract.ts';
import { decimal, zero } from '#kernel/decimal.ts';
import { mustHave } from '#kernel/must.ts';
import { refuse } from '#kernel/refusal.ts';
import type { Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import { catalogueErrors, type catalogue, type Estimate, type Meter, type Pricing, type Quota, type Service } from '../contract.ts';
import { estimateOf, pricingMistake } from '../rules.ts';
import { deleteUnused, insertPriceVersion, insertService, isCurrentPricing, pageOfServices, servicesByIds, setStatus, typesInUse, updateServiceRow, type ServiceChange } from './store.ts';

async function mustFind(ctx: Ctx, serviceId: string): Promise<Service> {
  const [service] = await servicesByIds(ctx.db, [serviceId], ctx.now);
  if (!service) throw refuse(catalogueErrors, 'catalogue.service_not_found');
  return service;
}

function check(pricing: Pricing | undefined, quota: Quota | undefined, meter?: Meter): void {
  const mistake = pricing && pricingMistake(pricing);
  if (mistake) throw refuse(catalogueErrors, mistake);
  if (quota && quota.type !== 'unlimited' && decimal(quota.limit).lte(zero)) throw refuse(catalogueErrors, 'catalogue.quota_zero');
  if (meter?.aggregation === 'unique_count' && !meter.property) throw refuse(catalogueErrors, 'catalogue.property_needed');
}

/** What is on sale: active services, those that are coming included. */
export async function listServices(ctx: Ctx, input: In<typeof catalogue.listServices>): Promise<Page<Service>> {
  return pageOfServices(ctx, { ...input, status: 'active' });
}

/** One active service. */
export async function getService(ctx: Ctx, input: In<typeof catalogue.getService>): Promise<Service> {
  const service = await mustFind(ctx, input.serviceId);
  if (service.status !== 'active') throw refuse(catalogueErrors, 'catalogue.service_not_found');
  return service;
}

export async function estimate(ctx: Ctx, input: In<typeof catalogue.estimate>): Promise<Estimate> {
  return estimateOf((await getService(ctx, input)).pricing, decimal(input.quantity));
}

export async function serviceTypes(ctx: Ctx): Promise<Out<typeof catalogue.serviceTypes>> {
  return typesInUse(ctx);
}

export async function adminListServices(ctx: Ctx, input: In<typeof catalogue.adminListServices>): Promise<Page<Service>> {
  return pageOfServices(ctx, input);
}

export async function adminGetService(ctx: Ctx, input: In<typeof catalogue.adminGetService>): Promise<Service> {
  return mustFind(ctx, input.serviceId);
}

/** Makes a service; its first price is in force from now on. */
export async function createService(ctx: Ctx, input: In<typeof catalogue.createService>): Promise<Service> {
  check(input.pricing, input.quota, input.meter);
  const { id } = await addService(ctx, {
    name: input.name, type: input.type, category: input.category, description: input.description ?? '', status: input.status ?? 'active', releaseState: input.releaseState ?? 'Active',
    meter: input.meter, billingCycle: input.billingCycle ?? 'monthly', proration: input.proration ?? 'day', trialDays: input.trialDays ?? 0, family: input.family ?? '', quota: input.quota ?? { type: 'unlimited' }, features: input.features ?? [], tags: input.tags ?? [],
    popular: input.popular ?? false, recommended: input.recommended ?? false, externalRef: null,
  }, input.pricing, ctx.now);
  ctx.note('catalogue.createService', id);
  return mustFind(ctx, id);
}

/** Adds a service and the price version that begins at `effectiveFrom`, unless they are there already. */
export async function addService(ctx: Ctx, service: Parameters<typeof insertService>[1], pricing: Pricing, effectiveFrom: Date): Promise<{ id: Service['id']; created: boolean; priceCreated: boolean }> {
  const { id, created } = await insertService(ctx, service);
  const priceCreated = await insertPriceVersion(ctx, id, effectiveFrom, pricing);
  return { id, created, priceCreated };
}

/** Changes a service. A pricing that differs becomes a new price version from now on. */
export async function updateService(ctx: Ctx, input: In<typeof catalogue.updateService>): Promise<Service> {
  check(input.pricing, input.quota);
  await mustFind(ctx, input.serviceId);
  const change: ServiceChange = {
    ...(input.name === undefined ? {} : { name: input.name }), ...(input.type === undefined ? {} : { type: input.type }), ...(input.category === undefined ? {} : { category: input.category }),
    ...(input.description === undefined ? {} : { description: input.description }), ...(input.status === undefined ? {} : { status: input.status }),
    ...(input.releaseState === undefined ? {} : { release_state: input.releaseState }), ...(input.billingCycle === undefined ? {} : { billing_cycle: input.billingCycle }), ...(input.proration === undefined ? {} : { proration: input.proration }),
    ...(input.trialDays === undefined ? {} : { trial_days: input.trialDays }), ...(input.family === undefined ? {} : { family: input.family }),
    ...(input.quota === undefined ? {} : { quota_type: input.quota.type, quota_limit: input.quota.type === 'unlimited' ? null : input.quota.limit }),
    ...(input.features === undefined ? {} : { features: JSON.stringify(input.features) }), ...(input.tags === undefined ? {} : { tags: input.tags }),
    ...(input.popular === undefined ? {} : { popular: input.popular }), ...(input.recommended === undefined ? {} : { recommended: input.recommended }),
  };
  await updateServiceRow(ctx, input.serviceId, change);
  const pricesDiffer = input.pricing !== undefined && !(await isCurrentPricing(ctx, input.serviceId, input.pricing));
  if (pricesDiffer && input.pricing) await insertPriceVersion(ctx, input.serviceId, ctx.now, input.pricing);
  ctx.note('catalogue.updateService', input.serviceId, { changed: Object.keys(change), newPrice: pricesDiffer });
  return mustFind(ctx, input.serviceId);
}

/** Activates, deactivates or deletes services; names those that cannot be deleted. */
export async function batchServices(ctx: Ctx, input: In<typeof catalogue.batchServices>): Promise<Out<typeof catalogue.batchServices>> {
  ctx.note('catalogue.batchServices', undefined, { ids: input.ids, action: input.action });
  if (input.action !== 'delete') return { changed: await setStatus(ctx, input.ids, input.action === 'activate' ? 'active' : 'inactive'), refused: [] };
  const refused: Out<typeof catalogue.batchServices>['refused'] = [];
  for (const serviceId of input.ids) {
    if (!(await deleteUnused(ctx, serviceId))) refused.push({ id: serviceId, code: 'catalogue.still_used', message: ctx.text('catalogue.still_used') });
  }
  return { changed: input.ids.length - refused.length, refused };
}

/** Deletes a service nobody ever subscribed to. */
export async function deleteService(ctx: Ctx, input: In<typeof catalogue.deleteService>): Promise<null> {
  const service = await mustFind(ctx, input.serviceId);
  if (!(await deleteUnused(ctx, service.id))) throw refuse(catalogueErrors, 'catalogue.still_used');
  return null;
}

export async function previewPricing(_ctx: Ctx, input: In<typeof catalogue.previewPricing>): Promise<Estimate> {
  check(input.pricing, undefined);
  return estimateOf(input.pricing, decimal(input.quantity));
}

/** One service by id, if there is one. */
export async function serviceById(ctx: Ctx, serviceId: string): Promise<Service | undefined> {
  return (await servicesByIds(ctx.db, [serviceId], ctx.now))[0];
}

/** Services by id, as a map. Throws when one is missing: a subscription's service is always there. */
export async function servicesMap(ctx: Ctx, ids: readonly string[]): Promise<(id: string) => Service> {
  const found = new Map((await servicesByIds(ctx.db, ids, ctx.now)).map((service) => [service.id as string, service]));
  return (id) => mustHave(found.get(id), `service ${id}`);
}
