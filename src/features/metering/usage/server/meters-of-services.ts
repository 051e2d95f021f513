// The meters by which usage of services is counted.
import type { Pricing, Service } from '#features/selling/catalogue/contract.ts';
import { isMetered } from '#features/selling/catalogue/rules.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  servicesOf,
  type Offers,
  type SubscriptionRow,
} from '#features/selling/subscriptions/server/index.ts';
import { chargedMeter, isOwnMeter, ownMeter, type StreamMeter } from '../rules-streams.ts';
import { cardServices, metersByKeys } from './store-meters.ts';

/** The meters by which a service's usage is counted, by its id. */
export type MetersIn = (serviceId: string) => readonly StreamMeter[];

/**
 * The meters of each service, by its id: of a single price its own meter; of a rate card those that usage charges name in any price
 * the service has, had or will have, because usage before a change of prices is still counted and billed. A meter that measures what
 * the service's own does is the own one; the own one counts also when no charge names it, for the service's limit.
 */
export async function metersOf(ctx: Ctx, services: readonly Service[]): Promise<MetersIn> {
  const cards = new Map(
    (
      await cardServices(
        ctx,
        services.map(({ id }) => id),
      )
    ).map((card) => [card.serviceId, card]),
  );
  const meters = new Map<string, readonly StreamMeter[]>(
    services.map(({ id, meter }) => {
      const card = cards.get(id);
      if (!card) return [id, [ownMeter(meter)]];
      const charged = card.meters;
      const own = charged.find((each) => isOwnMeter(meter, each));
      return [
        id,
        [
          ...(own || isMetered(meter) ? [{ ...ownMeter(meter), ...(own && { chargedAs: own.key }) }] : []),
          ...charged.filter((each) => each !== own),
        ],
      ];
    }),
  );
  return (serviceId) => meters.get(serviceId) ?? [];
}

/**
 * The same of all services that subscriptions were, are or will be of. Without a rate card there is nothing to read: each service has its
 * own meter only.
 */
export async function metersOfSubscriptions(
  ctx: Ctx,
  subscriptions: readonly SubscriptionRow[],
  offers: Offers,
): Promise<MetersIn> {
  if (!subscriptions.some((row) => hasCard(row, offers))) return (id) => [ownMeter(offers.service(id).meter)];
  const ids = subscriptions.flatMap((row) => [row, ...servicesOf(row)]).map(({ serviceId }) => serviceId);
  return metersOf(
    ctx,
    [...new Set(ids)].map((id) => offers.service(id)),
  );
}

/** Whether a subscription's services have, had or will have a rate card. */
export const hasCard = (row: SubscriptionRow, offers: Offers): boolean =>
  [row, ...servicesOf(row)].some(({ serviceId }) =>
    offers.plan(serviceId, row.organizationId).prices.some(({ pricing }) => pricing.model === 'rate_card'),
  );

/** The keys of meters that a price names and by which its service counts nothing so far. */
export const unusedKeys = (pricing: Pricing, meters: readonly StreamMeter[]): string[] =>
  pricing.model !== 'rate_card'
    ? []
    : pricing.charges.flatMap(({ meter }) =>
        meter === undefined || meters.some(({ chargedAs }) => chargedAs === meter) ? [] : [meter],
      );

/** The meters that a price names and that count nothing of a service so far: they begin when the price is published. */
export async function uncountedMeters(
  ctx: Ctx,
  service: Service,
  pricing: Pricing,
): Promise<readonly StreamMeter[]> {
  const meters = (await metersOf(ctx, [service]))(service.id);
  const keys = unusedKeys(pricing, meters);
  const named = await metersByKeys(ctx, keys);
  return keys
    .flatMap((key) => chargedMeter(key, service.meter, meters, named) ?? [])
    .filter((meter) => !meters.includes(meter));
}

/** The meters of several services of one subscription, each once; of the own ones the first. */
export function joinMeters(lists: readonly (readonly StreamMeter[])[]): readonly StreamMeter[] {
  const [first = []] = lists;
  if (lists.length < 2) return first;
  return [
    ...new Map(
      lists
        .flat()
        .toReversed()
        .map((meter) => [meter.key, meter]),
    ).values(),
  ];
}

/** A usage charge with the meter that it prices. */
export type Charged = { readonly charge: Charge; readonly meter: StreamMeter };

/** The usage charges of a price with the meters that `meterOf` answers for their keys; those without one, and a single price, have none. */
export const chargedUsage = (
  pricing: Pricing,
  meterOf: (key: string) => StreamMeter | undefined,
): Charged[] =>
  pricing.model !== 'rate_card'
    ? []
    : pricing.charges.flatMap((charge) => {
        const meter = charge.kind === 'usage' ? meterOf(charge.meter ?? '') : undefined;
        return meter ? [{ charge, meter }] : [];
      });

/** The meters by which rate cards of some services charge, each once. */
export async function chargedMeters(ctx: Ctx, services: readonly Service[]): Promise<StreamMeter[]> {
  const cards = await cardServices(
    ctx,
    services.map(({ id }) => id),
  );
  return [...new Map(cards.flatMap((card) => card.meters).map((meter) => [meter.key, meter])).values()];
}
