// Changes several services at once: the preview of a batch, and its execution.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { tryOut } from '#platform/server/unit-of-work/try-out.ts';
import { catalogueErrors, maxNamed, type catalogue, type ServiceImpact } from '../contract.ts';
import { requireService } from './find-service.ts';
import type { ServiceUse } from './service-use.ts';
import { countServices, deleteUnused, namesOfFilter, servicesByIds, setStatus } from './store.ts';

const statusAfter = { activate: 'active', deactivate: 'inactive' } as const;
type Batch = In<typeof catalogue.batchServices>;
type Named = Awaited<ReturnType<typeof namesOfFilter>>;

/** Returns the exact number of services that match a filter. */
export async function countOfFilter(
  ctx: Ctx,
  input: In<typeof catalogue.countServices>,
): Promise<Out<typeof catalogue.countServices>> {
  return { total: await countServices(ctx, input) };
}

/**
 * Returns the services of a batch: the given ids without duplicates and deleted ones, or all that match its
 * filter.
 */
async function chosenBy(ctx: Ctx, { ids, filter, expected }: Omit<Batch, 'action'>): Promise<Named> {
  if ((ids === undefined) === (filter === undefined))
    throw domainError(catalogueErrors, 'catalogue.nothing_named');
  if (ids) {
    const found = new Map(
      (await servicesByIds(ctx.db, ids, ctx.now)).map((service) => [service.id, service]),
    );
    return [...new Set(ids)].flatMap((id) => {
      const service = found.get(id);
      return service ? [{ id: service.id, name: service.name }] : [];
    });
  }
  const chosen = await namesOfFilter(ctx, filter ?? {});
  if (expected !== undefined && chosen.length !== expected)
    throw domainError(catalogueErrors, 'catalogue.count_changed', { total: chosen.length, expected });
  return chosen;
}

/**
 * Creates the route that previews a batch. Given services keep their order; of a filter's services, those
 * that cannot be deleted and the most used ones come first.
 */
export function batchImpactWith({ subscriptionsOf, openEventsOf }: ServiceUse) {
  return async (
    ctx: Ctx,
    input: In<typeof catalogue.batchImpact>,
  ): Promise<Out<typeof catalogue.batchImpact>> => {
    const chosen = await chosenBy(ctx, input);
    const counts = await subscriptionsOf(
      ctx,
      chosen.map((service) => service.id),
    );
    const openOf = ({ id }: { id: string }): number => counts.get(id)?.open ?? 0;
    // Not only subscriptions prevent deleting a service, but also a budget or its own tax, so deleting is
    // attempted.
    const free =
      input.action === 'delete'
        ? new Set(
            await tryOut(ctx, (trial) =>
              deleteFree(
                trial,
                chosen.map(({ id }) => id),
                subscriptionsOf,
              ),
            ),
          )
        : undefined;
    const isUsed = ({ id }: { id: string }): boolean =>
      free ? !free.has(id) : (counts.get(id)?.ever ?? 0) > 0;
    const listed = (
      input.filter
        ? chosen.toSorted(
            (one, other) => Number(isUsed(other)) - Number(isUsed(one)) || openOf(other) - openOf(one),
          )
        : chosen
    ).slice(0, maxNamed);
    const shown = listed.map((service) => service.id);
    const [services, events] = await Promise.all([
      servicesByIds(ctx.db, shown, ctx.now),
      openEventsOf(ctx, shown),
    ]);
    const statuses = new Map(services.map((service) => [service.id, service.status]));
    return {
      total: chosen.length,
      blocked: chosen.filter(isUsed).length,
      services: listed.map((service): ServiceImpact => {
        const canDelete = !isUsed(service);
        return {
          ...service,
          subscribers: openOf(service),
          events: events.get(service.id) ?? 0,
          canDelete,
          changes:
            input.action === 'delete' ? canDelete : statuses.get(service.id) !== statusAfter[input.action],
        };
      }),
    };
  };
}

/**
 * Creates the route that activates, deactivates or deletes services; it returns those that cannot be deleted.
 */
export function batchServicesWith({ subscriptionsOf }: ServiceUse) {
  return async (ctx: Ctx, input: Batch): Promise<Out<typeof catalogue.batchServices>> => {
    const chosen = await chosenBy(ctx, input);
    const ids = chosen.map((service) => service.id);
    const done =
      input.action === 'delete'
        ? await deleteFree(ctx, ids, subscriptionsOf)
        : await setStatus(ctx, ids, statusAfter[input.action]);
    const gone = new Set<string>(done);
    const refused = input.action === 'delete' ? chosen.filter((service) => !gone.has(service.id)) : [];
    ctx.audit('catalogue.batchServices', undefined, {
      action: input.action,
      ...(input.ids ? { ids: input.ids } : { filter: input.filter, total: ids.length }),
      changed: done.length,
      refused: refused.length,
    });
    const message = ctx.text('catalogue.still_used');
    return {
      changed: done.length,
      changedIds: ids.filter((id) => gone.has(id)).slice(0, maxNamed),
      refusedCount: refused.length,
      refused: refused
        .slice(0, maxNamed)
        .map(({ id, name }) => ({ id, name, code: 'catalogue.still_used', message })),
    };
  };
}

/**
 * Deletes services without subscriptions: ones known to be used are skipped, and the foreign key protects
 * those subscribed to in the meantime.
 */
async function deleteFree(
  ctx: Ctx,
  ids: readonly string[],
  subscriptionsOf: ServiceUse['subscriptionsOf'],
): Promise<string[]> {
  const counts = await subscriptionsOf(ctx, ids);
  return deleteUnused(
    ctx,
    ids.filter((id) => (counts.get(id)?.ever ?? 0) === 0),
  );
}

/** Deletes a service that never had a subscription. */
export async function deleteService(ctx: Ctx, input: In<typeof catalogue.deleteService>): Promise<null> {
  const service = await requireService(ctx, input.serviceId);
  if ((await deleteUnused(ctx, [service.id])).length === 0)
    throw domainError(catalogueErrors, 'catalogue.still_used');
  return null;
}
