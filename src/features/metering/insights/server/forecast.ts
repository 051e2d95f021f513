// The forecast for the rest of the current month, and how far off the same projection was in earlier months.
import { decimalText, sumDecimals, sumLists, zero, type Decimal } from '#kernel/decimal.ts';
import { moneyDecimal, type Currency } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { dayOf, daysOfMonth, hoursOfDay, monthOf } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { ExpectedDays } from '#features/metering/usage/contract.ts';
import { project, restOfDay } from '#features/metering/usage/rules.ts';
import { statistics } from '#features/metering/usage/server/index.ts';
import type { Forecast } from '../contract.ts';
import { errorPercent, meanAbsolute } from '../rules.ts';
import { loadMetered, readPlaces, type Loaded } from './metered-usage.ts';

const maxMonths = 3;
const weekdayOf = (day: LocalDay): number => new Date(`${day}T00:00:00Z`).getUTCDay();

/** Sums the usage costs of a month's days. */
async function dayCosts(
  ctx: Ctx,
  loaded: Loaded,
  month: BillingMonth,
): Promise<{ day: LocalDay; cost: Decimal }[]> {
  const days = daysOfMonth(month);
  const [from, to] = [required(days[0], 'a first day'), required(days.at(-1), 'a last day')];
  const { rows } = await readPlaces(ctx, loaded, { from, to, grain: 'day' });
  const costs = sumLists(
    rows.map((row) => row.costs),
    days.length,
  );
  return days.map((day, index) => ({ day, cost: costs[index] ?? zero }));
}

/** Returns the cost of a day after a number of its hours. */
async function soFarOf(ctx: Ctx, loaded: Loaded, day: LocalDay, hours: number): Promise<Decimal> {
  const { rows } = await readPlaces(ctx, loaded, { from: day, to: day, grain: 'hour' });
  return sumDecimals(rows.flatMap((row) => row.costs.slice(0, hours)));
}

/** An organization's current month so far, for the services of one currency. */
type MonthSoFar = {
  readonly loaded: Loaded;
  readonly month: BillingMonth;
  readonly today: LocalDay;
  readonly currency: Currency;
  readonly days: readonly { day: LocalDay; cost: Decimal }[];
};

async function monthSoFar(ctx: Ctx, currency: Currency): Promise<MonthSoFar> {
  const all = await loadMetered(ctx);
  const month = monthOf(ctx.now, all.zone);
  const loaded = {
    ...all,
    metered: all.metered.filter(({ service }) => service.pricing.currency === currency),
  };
  return {
    loaded,
    month,
    today: dayOf(ctx.now, all.zone),
    currency,
    days: await dayCosts(ctx, loaded, month),
  };
}

/** The expected cost of the rest of the month. Without a complete day in the month there is no forecast. */
function left({ days, today, currency }: MonthSoFar): ExpectedDays {
  const past = days
    .filter((each) => each.day < today)
    .map(({ day, cost }) => ({ weekday: weekdayOf(day), cost }));
  return {
    currency,
    restOfToday: {
      day: today,
      expected: decimalText(
        restOfDay(past, {
          weekday: weekdayOf(today),
          cost: days.find((each) => each.day === today)?.cost ?? zero,
        }),
      ),
    },
    days:
      past.length === 0
        ? []
        : days
            .filter((each) => each.day > today)
            .map(({ day }) => {
              const { expected, low, high } = project(zero, past, [weekdayOf(day)]);
              return { day, expected: decimalText(expected), low: decimalText(low), high: decimalText(high) };
            }),
  };
}

/**
 * Returns the expected cost of the remaining days of the actor's current month, for the services priced in a
 * currency.
 */
export async function expectedDays(ctx: Ctx, currency: Currency): Promise<ExpectedDays> {
  return left(await monthSoFar(ctx, currency));
}

/**
 * Returns the remaining days of the current month, and the same projection made on the same day of the last
 * complete months.
 */
export async function forecast(ctx: Ctx): Promise<Forecast> {
  const figures = await statistics(ctx, {});
  const soFar = await monthSoFar(ctx, figures.currency);
  const { loaded, month, today } = soFar;
  // Compared at the same time of day: the cost in the hours that have already passed.
  const hours = hoursOfDay(today, loaded.zone).filter((hour) => hour <= ctx.now).length - 1;
  const months: Forecast['past'][number][] = [];
  for (const { month: earlier, billed } of figures.sixMonths
    .filter((each) => each.month < month && each.events > 0)
    .slice(-maxMonths)
    .toReversed()) {
    months.push(
      await pastForecast(ctx, loaded, {
        month: earlier,
        came: moneyDecimal(billed),
        dayOfMonth: Number(today.slice(8)),
        hours,
      }),
    );
  }
  return {
    month,
    asOf: ctx.now,
    ...left(soFar),
    past: months,
    meanErrorPercent: meanAbsolute(months.map((each) => each.errorPercent)),
  };
}

/** Makes the projection as of the same day in an earlier month, and compares it with that month's result. */
async function pastForecast(
  ctx: Ctx,
  loaded: Loaded,
  past: { month: BillingMonth; came: Decimal; dayOfMonth: number; hours: number },
): Promise<Forecast['past'][number]> {
  const days = await dayCosts(ctx, loaded, past.month);
  const { day } = required(days[Math.min(past.dayOfMonth, days.length) - 1], 'a day of the month');
  const before = days.filter((each) => each.day < day);
  const thatDay = await soFarOf(ctx, loaded, day, past.hours);
  const soFar = sumDecimals(before.map((each) => each.cost)).plus(thatDay);
  const { expected } = project(
    soFar,
    before.map((each) => ({ weekday: weekdayOf(each.day), cost: each.cost })),
    days.filter((each) => each.day > day).map((each) => weekdayOf(each.day)),
    { weekday: weekdayOf(day), cost: thatDay },
  );
  // Fees are known in advance, so only usage is projected.
  const predicted = expected.plus(past.came.minus(sumDecimals(days.map((each) => each.cost))));
  return {
    month: past.month,
    day,
    said: decimalText(predicted),
    came: decimalText(past.came),
    errorPercent: errorPercent(predicted, past.came),
  };
}
