// How the usage of a month's lines was counted: by which meter, in which times, for what share of the month. For whoever recounts it.
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

/** The usage of one line: of a subscription at one price, and of a rate card of one of its charges. */
export type CountedUsage = {
  readonly subscriptionId: Id<'sub'>;
  readonly priceVersionId: string;
  /** The key of the charge; null for a single price. */
  readonly charge: string | null;
  /** The subscription that the events name. */
  readonly eventsOf: Id<'sub'>;
  readonly meter: StreamMeter;
  /** Whether events that were stored without a type of their own are the meter's. */
  readonly countsOwnType: boolean;
  /** The times [from, to) of the price; an event belongs to the one in which its hour begins. */
  readonly times: readonly ServedSpan[];
  /** Of an add-on: when it ran. Null where every event counts. */
  readonly served: readonly ServedSpan[] | null;
  /** The part of the month that was served, by which allowances and limits are prorated. */
  readonly share: ReturnType<typeof servedShare>;
  /** Of a percentile: how many samples the served time has. */
  readonly samples: number | null;
};

/** How the usage of some subscriptions was counted in a month, in the order of their lines. */
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
