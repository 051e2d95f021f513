// Values findings: usage from the connector's own mapping, priced by the service of their subscription or by
// the service chosen for their kind.
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { decimal, decimalText, divide, zero } from '#kernel/decimal.ts';
import { money, roundToMoney, type Money } from '#kernel/money.ts';
import { monthOf, monthPeriod, type Period } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import { priceKey, pricesFor, serviceById } from '#features/selling/catalogue/server/index.ts';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { allMeters } from '#features/selling/meters/server/index.ts';
import { feeOfMonth } from '#features/selling/subscriptions/rules.ts';
import type { SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import type { InventoryItem, ReconciledConnector } from '#features/metering/connectors/server/index.ts';
import type { Difference } from '../rules.ts';
import { costOf, scaled, type PricedUsage, type UsagePricing } from './cost-of.ts';
import { waitingFields, type KnownRow } from './store.ts';

/** A finding to be valued. */
export type Valued = {
  readonly difference: Difference;
  readonly item: InventoryItem | undefined;
  readonly known: KnownRow | undefined;
  /** The earliest time it is known to exist, if its source does not say. */
  readonly firstFoundAt: Date;
};
export type Value = { readonly serviceId: Id<'svc'> | null; readonly amount: Money | null };

export type Priced = UsagePricing & { readonly service: Service };

/** Returns the price of a service, for an organization or at list price. */
export type PriceBook = (serviceId: string, organizationId: string | null) => Promise<Priced | undefined>;

/** Returns the prices of services, each loaded once. */
export async function priceBook(ctx: Ctx): Promise<PriceBook> {
  const eventTypes = new Map((await allMeters(ctx)).map(({ key, eventType }) => [key, eventType]));
  const known = new Map<string, Promise<Priced | undefined>>();
  const load = async (serviceId: string, organizationId: string | null): Promise<Priced | undefined> => {
    const service = await serviceById(ctx, serviceId);
    if (!service) return undefined;
    const pair = { serviceId, organizationId: organizationId ?? '' };
    const versions = (await pricesFor(ctx.db, [pair])).get(priceKey(pair)) ?? [];
    const current = versions.findLast(({ effectiveFrom }) => effectiveFrom <= ctx.now) ?? versions[0];
    return {
      service,
      pricing: current?.pricing ?? service.pricing,
      eventType: service.meter.eventType,
      eventTypes,
    };
  };
  return (serviceId, organizationId) => {
    const key = `${serviceId} ${organizationId ?? ''}`;
    const found = known.get(key) ?? load(serviceId, organizationId);
    known.set(key, found);
    return found;
  };
}

/** Adds to inventory fields how long the item has existed, under the names that sources' readings use. */
const withSeconds = (fields: InventoryItem['fields'], seconds: string) => ({
  ...fields,
  seconds,
  runningSeconds: seconds,
  valueSeconds: seconds,
});

const secondsBetween = (from: Date, until: Date): string =>
  decimalText(divide(decimal(BigInt(Math.max(0, until.getTime() - from.getTime()))), decimal('1000'), 3));

/** The rows over which a mapping is evaluated for some findings, and which rows belong to which finding. */
export type Questions = {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly places: readonly {
    readonly life: number | undefined;
    readonly month: number | undefined;
    readonly billed: number | undefined;
    readonly reading: number | undefined;
    readonly waits: readonly number[];
  }[];
  readonly months: readonly Period[];
};

/** Values the findings of one connector; `made` is the mapping's result for the questions' rows. */
export async function valuesOf(
  { windowSeconds }: ReconciledConnector,
  found: readonly Valued[],
  { places, months }: Questions,
  made: readonly (readonly PricedUsage[])[],
  subscriptions: ReadonlyMap<string, SubscriptionRow>,
  chosen: ReadonlyMap<string, string>,
  book: PriceBook,
): Promise<Value[]> {
  const at = (place: number | undefined): readonly PricedUsage[] =>
    place === undefined ? [] : (made[place] ?? []);
  const values: Value[] = [];
  for (const [index, each] of found.entries()) {
    const { difference, item } = each;
    const subscription = subscriptions.get(difference.subscriptionId ?? '');
    const serviceId = subscription?.serviceId ?? chosen.get(item?.kind ?? '');
    const price =
      serviceId === undefined ? undefined : await book(serviceId, subscription?.organizationId ?? null);
    const place = required(places[index], 'the questions of a finding');
    const waited = place.waits.flatMap((one) => at(one));
    const lived = at(place.life);
    // For a resource without an owner, its age says more than the readings since the connector was created;
    // without an age, the waiting readings are exact. If only some readings wait, the others are billed.
    const known = difference.cause === 'waiting' ? [waited] : [item?.since ? lived : waited, waited, lived];
    const soFar = known.find((usage) => usage.length > 0);
    const used = {
      soFar,
      month: at(place.month),
      billedMonth: at(place.billed),
      reading: at(place.reading),
    };
    const month = required(months[index], 'the month of a finding');
    values.push({
      serviceId: price?.service.id ?? null,
      amount: price ? amountOf(each, price, used, subscription, month, windowSeconds) : null,
    });
  }
  return values;
}

type Used = {
  /** What it would have used this month so far, or what is waiting; undefined if unknown. */
  readonly soFar: readonly PricedUsage[] | undefined;
  /** A month at the current size, and at the billed one. */
  readonly month: readonly PricedUsage[];
  readonly billedMonth: readonly PricedUsage[];
  /** The usage of its last reading. */
  readonly reading: readonly PricedUsage[];
};

/** Returns what must be evaluated to value findings. */
export async function questionsOf(
  ctx: Ctx,
  connector: ReconciledConnector,
  found: readonly Valued[],
  subscriptions: ReadonlyMap<string, SubscriptionRow>,
): Promise<Questions> {
  const consoleZone = await ctx.setting(timeZoneSetting);
  const months = found.map(({ difference }): Period => {
    const zone = subscriptions.get(difference.subscriptionId ?? '')?.timeZone ?? consoleZone;
    return monthPeriod(monthOf(ctx.now, zone), zone);
  });
  const unbilled = found.filter(({ difference }) => difference.kind === 'unbilled');
  const waiting = Map.groupBy(
    await waitingFields(
      ctx,
      connector.id,
      unbilled.map(({ difference }) => difference.resource),
      new Date(Math.min(ctx.now.getTime(), ...months.map(({ start }) => start.getTime()))),
    ),
    ({ resource }) => resource,
  );
  const rows: Readonly<Record<string, unknown>>[] = [];
  const put = (fields: Readonly<Record<string, unknown>>): number => rows.push(fields) - 1;
  const places = found.map(({ item, known, firstFoundAt, difference }, index) => {
    const { start, end } = required(months[index], 'the month of a finding');
    const since = item?.since ?? known?.firstSeenAt ?? firstFoundAt;
    const soFar = secondsBetween(since > start ? since : start, ctx.now);
    const whole = secondsBetween(start, end);
    return {
      life: item && put(withSeconds(item.fields, soFar)),
      month: item && put(withSeconds(item.fields, whole)),
      billed: known && put(withSeconds(known.fields, whole)),
      reading: known && put(known.fields),
      waits: (waiting.get(difference.resource) ?? []).map(({ fields }) => put(fields)),
    };
  });
  return { rows, places, months };
}

function amountOf(
  { difference, known }: Valued,
  price: Priced,
  used: Used,
  subscription: SubscriptionRow | undefined,
  { start, end }: Period,
  windowSeconds: number,
): Money | null {
  const { kind, cause } = difference;
  if (kind === 'unbilled') return used.soFar ? costOf(price, used.soFar, cause !== 'waiting') : null;
  if (kind === 'differs') {
    if (cause !== 'size' || used.month.length === 0 || used.billedMonth.length === 0) return null;
    const [now, before] = [costOf(price, used.month, false), costOf(price, used.billedMonth, false)];
    return now && before && money(now.minor - before.minor, now.currency);
  }
  if (cause === 'fee') return subscription ? unitFee(price, subscription) : null;
  const windows = divide(decimal(secondsBetween(start, end)), decimal(String(windowSeconds)), 12);
  return known ? costOf(price, scaled(used.reading, decimalText(windows)), false) : null;
}

/** The monthly fee for a number of units of a plan. */
const feeFor = ({ pricing, service }: Priced, quantity: string, row: SubscriptionRow) => {
  const { chargeQuantities } = row.phases.at(-1) ?? {};
  return decimal(
    feeOfMonth(pricing, service.billingCycle, { quantity, ...(chargeQuantities && { chargeQuantities }) }),
  );
};

/**
 * The monthly cost of one unit of a subscription's plan: the last one of several, if the fee depends on their
 * number.
 */
function unitFee(price: Priced, row: SubscriptionRow): Money {
  const fewer = decimal(row.quantity).minus(decimal('1'));
  const rest = fewer.gt(zero) ? feeFor(price, decimalText(fewer), row) : zero;
  return roundToMoney(feeFor(price, row.quantity, row).minus(rest), price.pricing.currency);
}

/** Whether a subscription has a fee that may be paid for a missing resource. */
export const hasFee = (price: Priced, row: SubscriptionRow): boolean =>
  feeFor(price, row.quantity, row).gt(zero);
