// Several services at once: what a batch would touch, and doing it.
import type { In, Out } from '#kernel/contract.ts';
import { refuse } from '#kernel/refusal.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import { catalogueErrors, type catalogue, type ServiceImpact } from '../contract.ts';
import { mustFind } from './find-service.ts';
import type { ServiceUse } from './service-use.ts';
import { deleteUnused, servicesByIds, setStatus } from './store.ts';

const statusAfter = { activate: 'active', deactivate: 'inactive' } as const;

/** Says what a batch would touch, given who tells how services are used; in the order of the ids, without those that are gone. */
export function batchImpactWith({ subscriptionsOf, openEventsOf }: ServiceUse) {
  return async (ctx: Ctx, { ids, action }: In<typeof catalogue.batchImpact>): Promise<Out<typeof catalogue.batchImpact>> => {
    const [services, counts, events] = await Promise.all([servicesByIds(ctx.db, ids, ctx.now), subscriptionsOf(ctx, ids), openEventsOf(ctx, ids)]);
    const found = new Map(services.map((service) => [service.id, service]));
    return {
      services: ids.flatMap((id): ServiceImpact[] => {
        const service = found.get(id);
        if (!service) return [];
        const canDelete = (counts.get(id)?.ever ?? 0) === 0;
        return [{ id, name: service.name, subscribers: counts.get(id)?.open ?? 0, events: events.get(id) ?? 0, canDelete, changes: action === 'delete' ? canDelete : service.status !== statusAfter[action] }];
      }),
    };
  };
}

/** Activates, deactivates or deletes services; names those that cannot be deleted. */
export async function batchServices(ctx: Ctx, input: In<typeof catalogue.batchServices>): Promise<Out<typeof catalogue.batchServices>> {
  ctx.note('catalogue.batchServices', undefined, { ids: input.ids, action: input.action });
  if (input.action !== 'delete') return { changed: await setStatus(ctx, input.ids, statusAfter[input.action]), refused: [] };
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
