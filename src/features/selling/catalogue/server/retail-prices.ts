// What organizations pay for services, and what the operator is paid for them: the same, unless there is a
// reseller in between.
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { encodeId } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import type { MarkUps } from '#features/selling/resale/contract.ts';
import { resaleOf, type Resale } from '#features/selling/resale/server/index.ts';
import { retailPricing, splicedPrices } from '../rules-retail.ts';
import { agreedPricesFor, priceKey, type PriceVersion, type ServiceOfOrganization } from './store-prices.ts';

/** `retail`: what an organization pays its seller; `wholesale`: what the operator is paid for it. */
export type PriceBasis = 'retail' | 'wholesale';

/**
 * Returns the prices of services for organizations, by {@link priceKey}, oldest first, each in force until
 * the next one starts. A reseller's customer gets the reseller's prices with its mark-ups, so the reseller's
 * purchase prices are visible only with `wholesale`. The first price also applies before its start.
 */
export async function pricesFor(
  db: Kysely<unknown>,
  pairs: readonly ServiceOfOrganization[],
  basis: PriceBasis = 'retail',
): Promise<ReadonlyMap<string, readonly PriceVersion[]>> {
  const resale = Map.groupBy(
    await resaleOf(db, [...new Set(pairs.map(({ organizationId }) => organizationId))]),
    ({ organizationId }) => organizationId,
  );
  const spansOf = ({ organizationId }: ServiceOfOrganization): readonly Resale[] =>
    resale.get(organizationId) ?? [];
  const prices = await agreedPricesFor(db, [
    ...pairs,
    ...pairs.flatMap((pair) =>
      spansOf(pair).map(({ resellerId }) => ({ serviceId: pair.serviceId, organizationId: resellerId })),
    ),
  ]);
  if (resale.size === 0) return prices;
  const pricesOf = (pair: ServiceOfOrganization): readonly PriceVersion[] =>
    required(prices.get(priceKey(pair)), 'prices of a service');
  return new Map(
    pairs.map((pair) => [
      priceKey(pair),
      splicedPrices(
        pricesOf(pair),
        spansOf(pair).map((span) => ({
          ...span,
          prices: pricesOf({ serviceId: pair.serviceId, organizationId: span.resellerId }),
        })),
        basis === 'wholesale' ? (price) => price : soldBy,
      ),
    ]),
  );
}

/**
 * Returns a price as it is sold. Its id is derived from its components' ids, so it changes when one of them
 * does.
 */
function soldBy(
  { agreed: _agreed, ...price }: PriceVersion,
  markUps: MarkUps,
  began: Date | null,
): PriceVersion {
  const digest = createHash('sha256')
    .update(`${price.id} ${began?.toISOString() ?? ''} ${JSON.stringify(markUps)}`)
    .digest();
  return {
    ...price,
    id: encodeId('prv', digest.readUIntBE(0, 6), digest.subarray(6, 16)),
    pricing: retailPricing(price.pricing, price.serviceId, markUps),
  };
}
