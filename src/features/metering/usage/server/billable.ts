// Loads the usage of subscriptions in a month, split by price: the input of bill lines.
import { required } from '#kernel/assert.ts';
import { decimal, type Decimal } from '#kernel/decimal.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthPeriod } from '#kernel/time.ts';
import { asOneEvent, dependsOnEvents, usageOfQuantity } from '#features/selling/rating/rules.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { PriceBasis } from '#features/selling/catalogue/server/index.ts';
import {
  hasBegun,
  monthParts,
  planTimes,
  type BillableSubscription,
  type PlanOf,
  type PlanTime,
  type UsedCharge,
  type UsedTime,
} from '#features/selling/subscriptions/rules.ts';
import {
  offersFor,
  servicesOf,
  type Offers,
  type SubscriptionRow,
} from '#features/selling/subscriptions/server/index.ts';
import { quantityOf, type Rollup } from '../rules.ts';
import { chargedMeter, ownKey, type StreamMeter } from '../rules-streams.ts';
import { pricesSingleEvents } from '../rules-charge-costs.ts';
import { ownTypeOf, usageOfTimes, type MeteredTime, type MeteredUsage } from './charge-usage.ts';
import { eventBlocks } from './event-blocks.ts';
import { chargedUsage, metersOf, unusedKeys, type Charged } from './meters-of-services.ts';
import { usageOfParts } from './parts.ts';
import { monthsOf, type Metered } from './read.ts';
import { metersByKeys } from './store-meters.ts';
import { usageFromEvents } from './usage-from-events.ts';

/**
 * The prices to apply. `adapt` replaces services and prices for what-if estimates; bills never use it.
 * `basis`: what organizations pay or, with a reseller in between, what the operator is paid. `growth`:
 * percentages get events that determine their price once all values are multiplied by it.
 */
type Pricing = {
  readonly adapt?: ((offers: Offers) => Offers) | undefined;
  readonly basis?: PriceBasis | undefined;
  readonly growth?: Decimal;
};

/** The usage of some subscriptions in a month, priced by the versions in force, grouped by organization. */
export async function billableSubscriptions(
  ctx: Ctx,
  subscriptions: readonly SubscriptionRow[],
  month: BillingMonth,
  { adapt, basis }: Pricing = {},
): Promise<ReadonlyMap<string, BillableSubscription[]>> {
  return billableIn(ctx, await loadMonths(ctx, subscriptions, [month], { adapt, basis }), month);
}

const noGrowth = decimal('1');

/** The data of some months of some subscriptions, before prices are applied. */
export type LoadedMonths = {
  readonly offers: Offers;
  readonly metered: readonly Metered[];
  readonly rollups: ReadonlyMap<string, Rollup>;
  readonly growth: Decimal;
};

/** Loads the data of some months of some subscriptions with a fixed number of queries. */
export async function loadMonths(
  ctx: Ctx,
  subscriptions: readonly SubscriptionRow[],
  months: readonly BillingMonth[],
  { adapt = (offers) => offers, basis, growth = noGrowth }: Pricing = {},
): Promise<LoadedMonths> {
  const offers = adapt(
    await offersFor(
      ctx,
      subscriptions.flatMap((row) => [row, ...servicesOf(row), ...parentOf(row)]),
      basis,
    ),
  );
  const metered = subscriptions.map((subscription): Metered => ({
    subscription,
    service: offers.service(subscription.serviceId),
  }));
  return { offers, metered, rollups: await monthsOf(ctx, metered, months), growth };
}

/** The service of the subscription that an add-on belongs to. */
const parentOf = ({ parentServiceId, organizationId }: SubscriptionRow) =>
  parentServiceId === null ? [] : [{ serviceId: parentServiceId, organizationId }];

/** Returns one of the loaded months, grouped by organization. */
export async function billableIn(
  ctx: Ctx,
  loaded: LoadedMonths,
  month: BillingMonth,
): Promise<ByOrganization> {
  return (await billableByMonth(ctx, loaded, [month])).get(month) ?? new Map();
}

/**
 * Returns some of the loaded months, each grouped by organization. All of them are in memory at once,
 * including events that are priced individually.
 */
export async function billableByMonth(
  ctx: Ctx,
  { offers, metered, rollups, growth }: LoadedMonths,
  months: readonly BillingMonth[],
): Promise<ReadonlyMap<BillingMonth, ByOrganization>> {
  const inMonth = months.flatMap((month) =>
    metered.flatMap((each): InMonth[] => {
      const { subscription } = each;
      const rollup = rollups.get(`${subscription.id} ${month}`);
      if (!hasBegun(subscription, ctx.now)) return [];
      if (!rollup && !runsIn(subscription, monthPeriod(month, subscription.timeZone))) return [];
      const planOf: PlanOf = (serviceId) => offers.plan(serviceId, subscription.organizationId);
      return [
        {
          ...each,
          month,
          planOf,
          rollup,
          times: planTimes(monthParts(subscription, planOf, month, subscription.timeZone)),
        },
      ];
    }),
  );
  // A month with one plan and one price is read from its rollup; only the others need hours.
  const used = await usageOfParts(
    ctx,
    inMonth
      .filter(({ times }) => times.length > 1)
      .flatMap(({ subscription, month, times }) =>
        times.flatMap(({ plan, parts }, index) =>
          parts.map(({ from, to }) => ({
            key: timeKey(subscription, month, index),
            subscription,
            meter: offers.service(plan.id).meter,
            month,
            from,
            to,
          })),
        ),
      ),
  );
  const chargesOf = await chargesUsed(ctx, offers, inMonth, growth);
  const result = new Map(months.map((month) => [month, new Map<string, BillableSubscription[]>()]));
  for (const { subscription, service, month, planOf, rollup, times } of inMonth) {
    const ofMonth = required(result.get(month), 'a month that was asked for');
    const list = ofMonth.get(subscription.organizationId) ?? [];
    const usedTimes = times.map((time, index): UsedTime => {
      const { meter } = offers.service(time.plan.id);
      const usage = times.length === 1 ? rollup : used.get(timeKey(subscription, month, index));
      const measured = {
        unit: meter.unit,
        quantity: quantityOf(usage, meter.aggregation),
        events: usage?.eventCount ?? 0n,
      };
      return { ...time, ...measured, ...chargesOf(timeKey(subscription, month, index), time, measured) };
    });
    list.push({
      subscriptionId: subscription.id,
      serviceName: times.at(-1)?.plan.name ?? service.name,
      timeline: subscription,
      planOf,
      times: usedTimes,
    });
    ofMonth.set(subscription.organizationId, list);
  }
  return result;
}

type ByOrganization = ReadonlyMap<string, BillableSubscription[]>;

/** Whether any loaded price applies to single events, which then have to be read. */
export const pricesEvents = ({ offers, metered }: LoadedMonths): boolean =>
  metered.some(({ subscription }) =>
    [subscription, ...servicesOf(subscription)].some(({ serviceId, organizationId }) =>
      offers
        .plan(serviceId, organizationId)
        .prices.some(
          ({ pricing }) =>
            pricing.model === 'rate_card' && pricing.charges.some(({ model }) => model === 'percentage'),
        ),
    ),
  );

/** The key of the `index`th price period of a subscription's month. */
const timeKey = ({ id }: SubscriptionRow, month: BillingMonth, index: number): string =>
  `${id} ${month} ${index}`;

type Measured = Pick<UsedTime, 'quantity' | 'unit' | 'events'>;
type ChargesOf = (key: string, time: PlanTime, own: Measured) => Pick<UsedTime, 'charges'>;

/**
 * Returns the usage of rate card charges. A charge that measures the same as the service's own meter reuses
 * its quantity, unless its price depends on single events or their values. Keys are those of {@link timeKey}.
 */
async function chargesUsed(
  ctx: Ctx,
  offers: Offers,
  inMonth: readonly InMonth[],
  growth: Decimal,
): Promise<ChargesOf> {
  const cards = inMonth.flatMap(({ subscription, month, times }) =>
    times.flatMap((time, index) =>
      time.price.pricing.model === 'rate_card'
        ? [
            {
              key: timeKey(subscription, month, index),
              subscription,
              month,
              time,
              isWhole: times.length === 1,
            },
          ]
        : [],
    ),
  );
  if (cards.length === 0) return () => ({});
  const metersIn = await metersOf(
    ctx,
    [
      ...new Set(
        cards.flatMap(({ subscription, time }) => [
          time.plan.id,
          subscription.parentServiceId ?? time.plan.id,
        ]),
      ),
    ].map((id) => offers.service(id)),
  );
  // Only a price that is not yet published names meters that have not counted.
  const named = await metersByKeys(
    ctx,
    cards.flatMap(({ time }) => unusedKeys(time.price.pricing, metersIn(time.plan.id))),
  );
  const chargedIn = ({ plan, price: { pricing } }: PlanTime): Charged[] =>
    chargedUsage(pricing, (key) =>
      chargedMeter(key, offers.service(plan.id).meter, metersIn(plan.id), named),
    );
  const measured = cards.flatMap(({ key, subscription, month, time, isWhole }) =>
    [...Map.groupBy(chargedIn(time).filter(isMeasuredApart), ({ meter }) => meter)].map(
      ([meter, charged]) => {
        const percentages = charged.flatMap(({ charge }) =>
          charge.model === 'percentage' && pricesSingleEvents(charge, meter) ? [charge] : [],
        );
        const of: MeteredTime = {
          key,
          subscription,
          month,
          meter,
          ownType: ownTypeOf(metersIn(subscription.parentServiceId ?? time.plan.id)),
          parts: isWhole ? null : time.parts,
          needsEvents: percentages.length > 0,
        };
        return { time: of, percentages };
      },
    ),
  );
  const times = measured.map(({ time }) => time);
  const isUncounted = (meter: StreamMeter): boolean => named.get(meter.key) === meter;
  const counted = await usageOfTimes(
    ctx,
    times.filter(({ meter }) => !isUncounted(meter)),
  );
  const fromEvents = await usageFromEvents(
    ctx,
    times.filter(({ meter }) => isUncounted(meter)),
  );
  const blocks = await eventBlocks(
    ctx,
    measured.flatMap(({ time, percentages }) =>
      percentages.map((charge) => ({
        key: chargeKey(time.key, charge),
        time,
        charge,
        hours: fromEvents(time.key, time.meter)?.hours,
      })),
    ),
    { growth },
  );
  const usageOf = (key: string, { charge, meter }: Charged): MeteredUsage => {
    const { usage, count } = fromEvents(key, meter) ?? counted(key, meter);
    const events = pricesSingleEvents(charge, meter)
      ? (blocks.get(chargeKey(key, charge)) ?? [])
      : asOneEvent(usage.quantity);
    return { usage: { ...usage, events }, count };
  };
  return (key, time, own) =>
    time.price.pricing.model !== 'rate_card'
      ? {}
      : {
          charges: new Map(
            chargedIn(time).map((charged): [string, UsedCharge] => {
              const { charge, meter } = charged;
              if (!isMeasuredApart(charged))
                return [
                  charge.key,
                  { usage: usageOfQuantity(own.quantity), unit: own.unit, events: own.events },
                ];
              const { usage, count } = usageOf(key, charged);
              return [charge.key, { usage, unit: meter.unit, events: count }];
            }),
          ),
        };
}

const chargeKey = (key: string, charge: { readonly key: string }): string => `${key}\n${charge.key}`;

const isMeasuredApart = ({ charge, meter }: Charged): boolean =>
  meter.key !== ownKey || dependsOnEvents(charge);

type InMonth = Metered & {
  readonly month: BillingMonth;
  readonly planOf: PlanOf;
  readonly rollup: Rollup | undefined;
  readonly times: readonly PlanTime[];
};

/**
 * Whether a month can contain lines of a subscription: one that ended at the month's start may still have a
 * refund line.
 */
function runsIn(subscription: SubscriptionRow, period: { start: Date; end: Date }): boolean {
  return (
    subscription.startedAt < period.end &&
    (subscription.endsAt === null || subscription.endsAt >= period.start)
  );
}
