// The organization's own usage, as the starting point of an estimate.
import type { In } from '#kernel/contract.ts';
import { decimalText } from '#kernel/decimal.ts';
import { domainError } from '#kernel/errors.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthOf } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { serviceById } from '#features/selling/catalogue/server/index.ts';
import { quantityOf } from '#features/metering/usage/rules.ts';
import { meteredOf, monthsOf, type Metered } from '#features/metering/usage/server/index.ts';
import { lookBack, planningErrors, type OwnUsage, type planning } from '../contract.ts';
import { monthsBefore, monthsOfUsage, type UsedMonth } from '../rules.ts';

/**
 * Returns the caller's complete months of usage of a service; if there are none, of services in its family
 * with the same unit.
 */
export async function ownUsage(ctx: Ctx, input: In<typeof planning.ownUsage>): Promise<OwnUsage> {
  const service = await serviceById(ctx, input.serviceId);
  if (!service || service.status !== 'active')
    throw domainError(planningErrors, 'planning.service_not_found');
  const { unit } = service.meter;
  const all = await meteredOf(ctx, tenant(ctx));
  const inFamily = (each: Metered): boolean =>
    service.family !== '' && each.service.family === service.family && each.service.meter.unit === unit;
  const sameMonths = await usedMonths(
    ctx,
    all.filter((each) => each.service.id === service.id),
  );
  const family = sameMonths.length > 0 ? [] : await usedMonths(ctx, all.filter(inFamily));
  const months = sameMonths.length > 0 ? sameMonths : family;
  return {
    unit,
    from: sameMonths.length > 0 ? 'same' : family.length > 0 ? 'family' : 'none',
    months: months.map((each) => ({
      month: each.month,
      quantity: decimalText(each.quantity),
      serviceNames: [...each.serviceNames],
    })),
  };
}

/** The complete months of some subscriptions. */
async function usedMonths(ctx: Ctx, metered: readonly Metered[]): Promise<UsedMonth[]> {
  const zone = metered[0]?.subscription.timeZone;
  if (zone === undefined) return [];
  const months: BillingMonth[] = monthsBefore(monthOf(ctx.now, zone), lookBack);
  const rollups = await monthsOf(ctx, metered, months);
  return monthsOfUsage(
    metered.flatMap(({ subscription, service }) =>
      months.flatMap((month): UsedMonth[] => {
        const rollup = rollups.get(`${subscription.id} ${month}`);
        return rollup
          ? [{ month, quantity: quantityOf(rollup, service.meter.aggregation), serviceNames: [service.name] }]
          : [];
      }),
    ),
  );
}
