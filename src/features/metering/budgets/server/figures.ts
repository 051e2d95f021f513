// The figures that budgets are compared with: the current month's cost so far and its forecast, computed like
// statistics.
import { decimal, type Decimal } from '#kernel/decimal.ts';
import { moneyDecimal, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { dayOf } from '#kernel/time.ts';
import { required } from '#kernel/assert.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { statisticsOf } from '#features/metering/usage/server/index.ts';
import type { Figures } from '../rules.ts';
import type { BudgetRow } from './store.ts';

export type Measured = {
  readonly month: BillingMonth;
  /** Exact; thresholds are compared with these. */
  readonly figures: Figures;
  /** The cost so far as the bill rounds it, and the difference that rounding makes. */
  readonly billed: Money;
  readonly rounding: Decimal;
};
type Scope = { readonly serviceId: string | null; readonly currency: Currency };

/** The scope of a budget: one service, or all services priced in its currency. */
const scopeOf = ({ service, amount }: BudgetRow): Scope => ({
  serviceId: service?.id ?? null,
  currency: amount.currency,
});
const keyOf = ({ serviceId, currency }: Scope): string => `${serviceId ?? ''} ${currency}`;

/**
 * Computes the figures of the current month for each budget; budgets for the same service share one
 * calculation.
 */
export async function measure(
  ctx: Ctx,
  organizationId: string,
  budgets: readonly BudgetRow[],
): Promise<(budget: BudgetRow) => Measured> {
  const measured = new Map<string, Measured>();
  for (const [key, { serviceId, currency }] of new Map(
    budgets.map((budget) => [keyOf(scopeOf(budget)), scopeOf(budget)]),
  ))
    measured.set(
      key,
      await measureOne(ctx, organizationId, { currency, ...(serviceId !== null && { serviceId }) }),
    );
  return (budget) => required(measured.get(keyOf(scopeOf(budget))), 'the figures');
}

async function measureOne(
  ctx: Ctx,
  organizationId: string,
  scope: { serviceId?: string; currency: Currency },
): Promise<Measured> {
  const { timeZone } = required(await organizationById(ctx.db, organizationId), 'the organization');
  const { month, totalCost, billed, projectedCost } = await statisticsOf(ctx, organizationId, scope);
  const actual = decimal(totalCost.amount);
  const rounding = moneyDecimal(billed).minus(actual);
  return {
    month,
    billed,
    rounding,
    figures: {
      actual,
      expected: decimal(projectedCost.amount).minus(rounding),
      low: decimal(projectedCost.low).minus(rounding),
      high: decimal(projectedCost.high).minus(rounding),
      completeDays: Number(dayOf(ctx.now, timeZone).slice(8)) - 1,
    },
  };
}
