// Builds every charge of a range in the columns of FOCUS 1.2: usage by day, fees and limits in the month they
// belong to.
import { decimalText, isZero, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import { required } from '#kernel/assert.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { dayPeriod, eachMonth, monthOfDay, monthPeriod } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { brandOf, organizationById } from '#features/access/identity/server/index.ts';
import { linesOf, withoutSteps, type BillableSubscription } from '#features/selling/subscriptions/rules.ts';
import { billableIn, loadMonths } from '#features/metering/usage/server/index.ts';
import { focusRow, type FocusAccount, type FocusCharge } from '../rules-focus.ts';
import { restOf } from './charge-groups.ts';
import { readPlaces, type Loaded, type Place, type Row } from './metered-usage.ts';

/**
 * Yields the charges between two days, read from one database snapshot. Charges that belong to no day (fees,
 * limits, and usage priced by single events or a percentile, whose cost is known per month only) are included
 * for months that lie completely in the range; over such months, charges add up to the statistics.
 */
export async function focusRows(
  ctx: Ctx,
  loaded: Loaded,
  { from, to }: { from: LocalDay; to: LocalDay },
): Promise<ReturnType<typeof focusRow>[]> {
  const organization = required(await organizationById(ctx.db, tenant(ctx)), 'the actor’s organization');
  const account: FocusAccount = {
    id: organization.id,
    name: organization.name,
    provider: (await brandOf(ctx, organization.id)).name,
  };
  const { places, rows } = await readPlaces(ctx, loaded, { from, to, grain: 'day' });
  const daily = places.flatMap((place, index) =>
    rows.flatMap((row) => usageCharges(row, place, index, loaded.zone)),
  );
  const months = eachMonth(monthOfDay(from), monthOfDay(to)).filter((month) => {
    const { start, end } = monthPeriod(month, loaded.zone);
    return start >= dayPeriod(from, loaded.zone).start && end <= dayPeriod(to, loaded.zone).end;
  });
  const monthly = await monthCharges(ctx, loaded, months, { places, rows });
  return [...daily, ...monthly].map((charge) => focusRow(charge, account));
}

function usageCharges(row: Row, place: Place, index: number, zone: string): FocusCharge[] {
  const { subscription, service, charges } = row;
  const charge = (quantity: Decimal, cost: Decimal, unit: string, what: string): FocusCharge[] =>
    isZero(quantity) && isZero(cost)
      ? []
      : [
          {
            kind: 'usage',
            cost: decimalText(cost),
            quantity: decimalText(quantity),
            invoiceId: '',
            isTakenBack: false,
            currency: service.pricing.currency,
            unit,
            description: `${service.name}: ${what}`,
            period: { start: place.start, end: place.end },
            billingPeriod: monthPeriod(monthOfDay(place.day), zone),
            subscriptionId: subscription.id,
            service,
          },
        ];
  const { unit } = service.meter;
  const at = (values: readonly Decimal[]): Decimal => values[index] ?? zero;
  if (charges.length === 0) return charge(at(row.quantities), at(row.costs), unit, unit);
  return [
    ...charges.flatMap((series) =>
      // A charge without daily costs is added with its month.
      series.isMonthOnly
        ? []
        : charge(at(series.quantities), at(series.costs), series.meter.unit, series.charge.name.enUS),
    ),
    ...charge(zero, at(restOf(row) ?? []), unit, unit),
  ];
}

async function monthCharges(
  ctx: Ctx,
  { metered, zone }: Loaded,
  months: readonly BillingMonth[],
  read: { places: readonly Place[]; rows: readonly Row[] },
): Promise<FocusCharge[]> {
  const loaded = await loadMonths(
    ctx,
    metered.map((each) => each.subscription),
    months,
  );
  const charges: FocusCharge[] = [];
  for (const month of months) {
    for (const billable of [...(await billableIn(ctx, loaded, month)).values()].flat())
      charges.push(...chargesOf(billable, month, zone, loaded.offers.service, read));
  }
  return charges;
}

function chargesOf(
  billable: BillableSubscription,
  month: BillingMonth,
  zone: string,
  serviceOf: Loaded['offers']['service'],
  { places, rows }: { places: readonly Place[]; rows: readonly Row[] },
): FocusCharge[] {
  const { subscriptionId } = billable;
  const period = monthPeriod(month, zone);
  const lines = linesOf(billable, month, zone, withoutSteps);
  const charge = (line: (typeof lines)[number]): FocusCharge => ({
    kind: line.kind,
    cost: decimalText(line.exact),
    quantity: line.quantity,
    invoiceId: '',
    isTakenBack: false,
    currency: line.amount.currency,
    unit: line.unit,
    description: `${line.serviceName}: ${line.charge?.name.enUS ?? line.kind.replace('_', ' ')}`,
    period,
    billingPeriod: period,
    subscriptionId,
    service: serviceOf(line.serviceId),
  });
  const fixed = lines.filter((line) => line.kind !== 'usage').map(charge);
  const usage = lines.filter((line) => line.kind === 'usage');
  const row = rows.find((each) => each.subscription.id === subscriptionId);
  const ofDays = (costs: readonly Decimal[]): Decimal =>
    sumDecimals(places.map((place, index) => (place.day.startsWith(month) ? (costs[index] ?? zero) : zero)));
  // For each charge, the part that no day contains.
  return [
    ...fixed,
    ...[...Map.groupBy(usage, (line) => line.charge?.key)].flatMap(([key, own]): FocusCharge[] => {
      const costs =
        key === undefined
          ? [(row && (row.charges.length === 0 ? row.costs : restOf(row))) ?? []]
          : (row?.charges ?? []).flatMap((each) => (each.charge.key === key ? [each.costs] : []));
      const known = sumDecimals(costs.map(ofDays));
      if (isZero(known)) return own.filter((line) => !isZero(line.exact)).map(charge);
      const rest = sumDecimals(own.map((line) => line.exact)).minus(known);
      const [first] = own;
      return isZero(rest) || !first ? [] : [{ ...charge(first), cost: decimalText(rest) }];
    }),
  ];
}
