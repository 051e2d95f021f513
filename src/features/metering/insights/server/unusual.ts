// Unusual days of a range, with users' verdicts.
import type { In, Out } from '#kernel/contract.ts';
import { decimalText, type Decimal } from '#kernel/decimal.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { domainError } from '#kernel/errors.ts';
import { addDays, dayOf } from '#kernel/time.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { subscriptionById, type SubscriptionRow } from '#features/selling/subscriptions/server/index.ts';
import { quantityOf } from '#features/metering/usage/rules.ts';
import { daysFrom, daysOf, type Metered } from '#features/metering/usage/server/index.ts';
import { insightsErrors, type insights, type UnusualDay } from '../contract.ts';
import { baselineWeeks, unusualDays as findUnusual, type Day } from '../rules-unusual.ts';
import { assertRange } from './explore.ts';
import { loadMetered, type Loaded } from './metered-usage.ts';
import { firstHours, forgetVerdict, storeVerdict, verdictsOf, type StoredVerdict } from './store.ts';

/** Returns the unusual days of a range, newest first, including days with a user's verdict. */
export async function unusualDays(
  ctx: Ctx,
  input: In<typeof insights.unusualDays>,
): Promise<Out<typeof insights.unusualDays>> {
  assertRange(input);
  return { days: await unusualIn(ctx, await loadMetered(ctx, input.serviceId), input) };
}

/** The same for already loaded usage of any organization. */
export async function unusualIn(
  ctx: Ctx,
  { zone, metered }: Loaded,
  input: { readonly from: LocalDay; readonly to: LocalDay },
): Promise<UnusualDay[]> {
  // A distinct count is meaningful for a whole month only, so its days are not judged.
  const judged = metered.filter(({ service }) => service.meter.aggregation !== 'unique_count');
  const ids = judged.map((each) => each.subscription.id);
  const readFrom = addDays(input.from, -7 * baselineWeeks);
  const today = dayOf(ctx.now, zone);
  const to = input.to < today ? input.to : today;
  if (to < input.from) return [];
  const rollup = await daysOf(ctx, judged, zone, readFrom, to);
  const first = await firstHours(ctx, ids);
  const verdicts = Map.groupBy(await verdictsOf(ctx, ids, readFrom, to), (each) => each.subscriptionId);
  const found = judged.flatMap((each) => {
    const began = first.get(each.subscription.id);
    if (!began) return [];
    const quantities = servedDays(each, dayOf(began, zone), readFrom, to, zone).map((day): Day => ({
      day,
      quantity: quantityOf(rollup(each.subscription.id, day), each.service.meter.aggregation),
    }));
    return unusualOf(each, quantities, input.from, today, verdicts.get(each.subscription.id) ?? []);
  });
  return found.toSorted((a, b) =>
    a.day === b.day ? a.serviceName.localeCompare(b.serviceName) : a.day < b.day ? 1 : -1,
  );
}

/** The days on which a subscription could be used: from its first usage to its end. */
function servedDays(
  { subscription }: Metered,
  began: LocalDay,
  from: LocalDay,
  to: LocalDay,
  zone: string,
): LocalDay[] {
  const end = subscription.endsAt ? dayOf(new Date(subscription.endsAt.getTime() - 1), zone) : to;
  return daysFrom(began > from ? began : from, end < to ? end : to);
}

function unusualOf(
  { subscription, service }: Metered,
  days: readonly Day[],
  from: LocalDay,
  today: LocalDay,
  verdicts: readonly StoredVerdict[],
): UnusualDay[] {
  const verdictByDay = new Map(verdicts.map((each) => [each.day, each]));
  const leftOut = new Set(verdicts.filter((each) => each.verdict === 'unexpected').map((each) => each.day));
  const text = (value: Decimal): string => decimalText(value.round(12));
  return findUnusual(days, from, today, leftOut).map(({ day, quantity, expected, low, high }): UnusualDay => {
    const verdict = verdictByDay.get(day);
    return {
      subscriptionId: subscription.id,
      serviceId: service.id,
      serviceName: service.name,
      unit: service.meter.unit,
      day,
      quantity: text(quantity),
      expected: text(expected),
      low: text(low),
      high: text(high),
      verdict: verdict ? { verdict: verdict.verdict, by: verdict.by, at: verdict.at } : null,
    };
  });
}

async function ownSubscription(ctx: Ctx, subscriptionId: string): Promise<SubscriptionRow> {
  const subscription = await subscriptionById(ctx.db, subscriptionId, tenant(ctx));
  if (!subscription) throw domainError(insightsErrors, 'insights.subscription_not_found');
  return subscription;
}

/** Stores whether a day's usage was expected. */
export async function judgeDay(ctx: Ctx, input: In<typeof insights.judgeDay>): Promise<null> {
  const subscription = await ownSubscription(ctx, input.subscriptionId);
  if (input.day > dayOf(ctx.now, subscription.timeZone))
    throw domainError(insightsErrors, 'insights.day_not_judged');
  await storeVerdict(ctx, { ...input, by: person(ctx).userId });
  ctx.audit('insights.judgeDay', input.subscriptionId, { day: input.day, verdict: input.verdict });
  ctx.publish(`org/${subscription.organizationId}/usage`, { kind: 'usage' });
  return null;
}

/** Deletes a verdict; does nothing if there is none. */
export async function takeBackVerdict(ctx: Ctx, input: In<typeof insights.takeBackVerdict>): Promise<null> {
  const subscription = await ownSubscription(ctx, input.subscriptionId);
  if (await forgetVerdict(ctx, input.subscriptionId, input.day)) {
    ctx.audit('insights.takeBackVerdict', input.subscriptionId, { day: input.day });
    ctx.publish(`org/${subscription.organizationId}/usage`, { kind: 'usage' });
  }
  return null;
}
