// The forecast of a running month is the same wherever a customer sees it: statistics, both dashboards,
// budgets, and the forecast of its days.
import { expect } from 'vitest';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import { money, moneyDecimal, roundToMoney } from '#kernel/money.ts';
import { budgets } from '#features/metering/budgets/contract.ts';
import { insights } from '#features/metering/insights/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import type { Lives, Person } from './lives.ts';

/** The forecast of a customer's running month agrees wherever it is shown. */
export async function expectForecast({ console }: Lives, { token }: Person): Promise<void> {
  const asUser = { token };
  const statistics = await console.ok(usage.statistics, {}, asUser);
  const { currency, projectedCost, billed, totalCost } = statistics;
  const billing = await console.ok(consoleContract.billingDashboard, {}, asUser);
  expect({ ...billing.statistics, asOf: null }, 'statistics').toEqual({ ...statistics, asOf: null });
  const own = await console.ok(consoleContract.userDashboard, {}, asUser);
  expect(own.statistics.billed, 'the cost of the dashboard').toEqual(billed);
  const days = await console.ok(insights.forecast, {}, asUser);
  for (const shown of [billing.expected, own.expectedDays])
    expect(shown, 'the expected days').toEqual({
      currency: days.currency,
      restOfToday: days.restOfToday,
      days: days.days,
    });
  expect(days.currency).toBe(currency);
  const rest = [days.restOfToday.expected, ...days.days.map((day) => day.expected)];
  expect(
    decimalText(sumDecimals([moneyDecimal(billed), ...rest.map((each) => decimal(each))])),
    'the expected days and the cost so far',
  ).toBe(projectedCost.amount);
  const isTold = own.expected !== null;
  if (isTold)
    expect(own.expected, 'the forecast of the dashboard').toEqual(
      roundToMoney(decimal(projectedCost.amount), currency),
    );

  const before = await console.ok(budgets.listBudgets, {}, asUser);
  expect(before.currency, 'the currency of budgets').toBe(currency);
  if (!before.items.some((each) => each.service === null && each.amount.currency === currency))
    await console.ok(budgets.createBudget, { name: 'All', amount: money(100_000n, currency) }, asUser);
  const { items } = await console.ok(budgets.listBudgets, {}, asUser);
  for (const budget of items) {
    if (budget.service !== null || budget.amount.currency !== currency) continue;
    expect([budget.billed, budget.actual], 'the cost of a budget').toEqual([billed, totalCost.amount]);
    expect(budget.forecast && { ...budget.forecast, percent: 0 }, 'the forecast of a budget').toEqual(
      isTold
        ? {
            expected: projectedCost.amount,
            low: projectedCost.low,
            high: projectedCost.high,
            percent: 0,
          }
        : null,
    );
  }
}
