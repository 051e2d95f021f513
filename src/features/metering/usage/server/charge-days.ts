// The days of a charge's usage, for the explanation of its line on a bill.
import { decimalText } from '#kernel/decimal.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { dayPeriod } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { ownKey } from '../rules-streams.ts';
import { ownTypeOf, usageOfTimes } from './charge-usage.ts';
import { metersOf } from './meters-of-services.ts';
import type { Metered } from './read.ts';

/** What a meter counted on a day of the organization's zone. */
export type ChargeDay = { readonly day: LocalDay; readonly quantity: string; readonly events: number };

/**
 * The days of a month with usage by the meter that a charge names, by its key; undefined when it measures what the service's own
 * meter does, or counts nothing.
 */
export async function chargeDays(
  ctx: Ctx,
  { subscription, service }: Metered,
  meterKey: string,
  month: BillingMonth,
  days: readonly LocalDay[],
): Promise<readonly ChargeDay[] | undefined> {
  const meters = (await metersOf(ctx, [service]))(service.id);
  const meter = meters.find(({ chargedAs }) => chargedAs === meterKey);
  if (!meter || meter.key === ownKey) return undefined;
  const usageOf = await usageOfTimes(
    ctx,
    days.map((day) => {
      const { start, end } = dayPeriod(day, subscription.timeZone);
      return {
        key: day,
        subscription,
        month,
        meter,
        ownType: ownTypeOf(meters),
        parts: [{ from: start, to: end }],
        needsEvents: false,
      };
    }),
  );
  return days.flatMap((day): ChargeDay[] => {
    const { usage, count } = usageOf(day, meter);
    return count === 0n ? [] : [{ day, quantity: decimalText(usage.quantity), events: Number(count) }];
  });
}
