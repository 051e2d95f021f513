// Describes how the usage of a month's lines was counted, so that it can be recounted: by which meter, in
// which periods, and for what share of the month.
import type { BillingMonth } from '#kernel/shape.ts';
import type { Id } from '#kernel/ids.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { servedShare } from '#features/selling/subscriptions/rules.ts';
import type { SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import { servedSpans, type ServedSpan } from '../rules-levels.ts';
import { countSamples } from '../rules-samples.ts';
import { chargedMeter, ownMeter, type StreamMeter } from '../rules-streams.ts';
import { billableIn, loadMonths } from './billable.ts';
import { ownTypeOf } from './charge-usage.ts';
import { chargedUsage, metersOf } from './meters-of-services.ts';
import { sampleMinutesOf } from './rate-events.ts';
import { eventsIdOf } from './rating-context.ts';

/** The usage of one line: a subscription at one price, or one charge of its rate card. */
export type CountedUsage = {
  readonly subscriptionId: Id<'sub'>;
  readonly priceVersionId: string;
  /** The key of the charge; null for a single price. */
  readonly charge: string | null;
  /** The subscription that the events name as their subject. */
  readonly eventsOf: Id<'sub'>;
  readonly meter: StreamMeter;
  /** Whether the meter counts events that were stored without a type. */
  readonly countsOwnType: boolean;
  /**
   * The periods [from, to) of the price; an event belongs to the period in which its hour begins or, for a
   * percentile, its sample.
   */
  readonly times: readonly ServedSpan[];
  /** For an add-on: when it ran. Null if every event counts. */
  readonly served: readonly ServedSpan[] | null;
  /** The served share of the month, by which allowances and limits are prorated. */
  readonly share: ReturnType<typeof servedShare>;
  /** For a percentile: the number of samples in the served time. */
  readonly samples: number | null;
};

/** Describes how the usage of some subscriptions was counted in a month, in the order of their lines. */
export async function countedUsage(
  ctx: Ctx,
  subscriptions: readonly SubscriptionRow[],
  month: BillingMonth,
): Promise<CountedUsage[]> {
  const rows = new Map<string, SubscriptionRow>(subscriptions.map((row) => [row.id, row]));
  const loaded = await loadMonths(ctx, subscriptions, [month]);
  const { offers } = loaded;
  const billable = [...(await billableIn(ctx, loaded, month)).values()].flat();
  const services = new Set(
    billable.flatMap(({ subscriptionId, times }) => [
      ...times.map(({ plan }) => plan.id),
      ...[rows.get(subscriptionId)?.parentServiceId ?? []].flat(),
    ]),
  );
  const metersIn = await metersOf(
    ctx,
    [...services].map((id) => offers.service(id)),
  );
  return billable.flatMap(({ subscriptionId, timeline, times }) => {
    const row = rows.get(subscriptionId);
    if (!row) return [];
    const zone = row.timeZone;
    return times
      .filter(({ isTrial }) => !isTrial)
      .flatMap((time): CountedUsage[] => {
        const { plan, price, parts } = time;
        const own = offers.service(plan.id).meter;
        const meters = metersIn(plan.id);
        const ownType = ownTypeOf(metersIn(row.parentServiceId ?? plan.id));
        const spans = parts.map(({ from, to }) => ({ from, to }));
        const servedIn = (): ServedSpan[] => spans.flatMap(({ from, to }) => servedSpans(row, from, to));
        const counted = (charge: string | null, meter: StreamMeter): CountedUsage => ({
          subscriptionId: row.id,
          priceVersionId: price.id,
          charge,
          eventsOf: eventsIdOf(row),
          meter,
          countsOwnType: meter.eventType === (charge === null ? own.eventType : ownType),
          times: spans,
          served: row.parentId === null ? null : servedIn(),
          share: servedShare(timeline, time, month, zone),
          samples:
            meter.aggregation === 'percentile'
              ? spans.reduce(
                  (sum, part) =>
                    sum +
                    countSamples(servedSpans(row, part.from, part.to), part, zone, sampleMinutesOf(meter)),
                  0,
                )
              : null,
        });
        if (price.pricing.model !== 'rate_card') return [counted(null, ownMeter(own))];
        const charges = chargedUsage(price.pricing, (key) => chargedMeter(key, own, meters, new Map()));
        return charges.map(({ charge, meter }) => counted(charge.key, meter));
      });
  });
}
