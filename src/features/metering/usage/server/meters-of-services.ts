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

/** Returns the meters that count a service's usage, by the service's id. */
export type MetersIn = (serviceId: string) => readonly StreamMeter[];

/**
 * Returns the meters of each service by its id. A single price uses the service's own meter. A rate card uses
 * the meters named by usage charges in any past, current or future price of the service, because usage before
 * a price change is still counted and billed. A meter that measures the same as the service's own meter is
 * the own meter; the own meter counts even if no charge names it, for the service's limit.
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
 * The same for all past, current and future services of some subscriptions. Without a rate card nothing is
 * read: each service has only its own meter.
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

/** Whether any past, current or future service of a subscription has a rate card. */
export const hasCard = (row: SubscriptionRow, offers: Offers): boolean =>
  [row, ...servicesOf(row)].some(({ serviceId }) =>
    offers.plan(serviceId, row.organizationId).prices.some(({ pricing }) => pricing.model === 'rate_card'),
  );

/** Returns the keys of meters that a price names but that its service does not count yet. */
export const unusedKeys = (pricing: Pricing, meters: readonly StreamMeter[]): string[] =>
  pricing.model !== 'rate_card'
    ? []
    : pricing.charges.flatMap(({ meter }) =>
        meter === undefined || meters.some(({ chargedAs }) => chargedAs === meter) ? [] : [meter],
      );

/**
 * Returns the meters that a price names but that its service does not count yet; they start when the price is
 * published.
 */
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

/**
 * Merges the meters of several services of one subscription without duplicates; of the own meters, the first
 * wins.
 */
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

/**
 * Returns the usage charges of a price with the meters that `meterOf` returns for their keys. Charges without
 * a meter are left out, and a single price has none.
 */
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

/** Returns the meters that the rate cards of some services charge by, without duplicates. */
export async function chargedMeters(ctx: Ctx, services: readonly Service[]): Promise<StreamMeter[]> {
  const cards = await cardServices(
    ctx,
    services.map(({ id }) => id),
  );
  return [...new Map(cards.flatMap((card) => card.meters).map((meter) => [meter.key, meter])).values()];
}
