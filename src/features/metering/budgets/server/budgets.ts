// Routes of an organization's budgets.
import type { In, Out } from '#kernel/contract.ts';
import { decimalText } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { moneyDecimal, type Currency, type Money } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { mainCurrency, meteredOf } from '#features/metering/usage/server/index.ts';
import { budgetsErrors, initialThresholds, maxBudgets, type Budget, type budgets } from '../contract.ts';
import { inOrder, isForeseeable, nextThreshold, percentOf } from '../rules.ts';
import { askCheck } from './check-budgets.ts';
import { measure, type Measured } from './figures.ts';
import {
  budgetsOf,
  deleteBudgetRow,
  deleteNotices,
  insertBudget,
  lockBudget,
  noticesByBudget,
  updateBudgetRow,
  type BudgetRow,
  type BudgetNoticeRow,
} from './store.ts';

function viewOf(
  { organizationId: _organizationId, ...budget }: BudgetRow,
  { month, figures, billed, rounding }: Measured,
  reached: readonly BudgetNoticeRow[],
): Budget {
  const amount = moneyDecimal(budget.amount);
  const { actual, expected, low, high } = figures;
  return {
    ...budget,
    thresholds: [...budget.thresholds],
    month,
    actual: decimalText(actual),
    billed,
    percent: percentOf(actual, amount),
    nextThreshold: nextThreshold(budget.thresholds, actual, amount),
    told: [...reached],
    forecast: isForeseeable(figures)
      ? {
          expected: decimalText(expected.plus(rounding)),
          low: decimalText(low.plus(rounding)),
          high: decimalText(high.plus(rounding)),
          percent: percentOf(expected, amount),
        }
      : null,
  };
}

async function viewsOf(ctx: Ctx, organizationId: Id<'org'>, rows: readonly BudgetRow[]): Promise<Budget[]> {
  const [first] = rows;
  if (!first) return [];
  const measured = await measure(ctx, organizationId, rows);
  const noticesOf = await noticesByBudget(
    ctx,
    rows.map((row) => row.id),
    measured(first).month,
  );
  return rows.map((row) => viewOf(row, measured(row), noticesOf(row.id)));
}

/**
 * Returns what a budget can be set for: all services in the main currency, or one current or former
 * subscription's service.
 */
async function choicesOf(
  ctx: Ctx,
  organizationId: Id<'org'>,
): Promise<Pick<Out<typeof budgets.listBudgets>, 'currency' | 'services'>> {
  const metered = await meteredOf(ctx, organizationId);
  const services = new Map(
    metered.map(({ service }) => [
      service.id,
      { id: service.id, name: service.name, currency: service.pricing.currency },
    ]),
  );
  return {
    currency: mainCurrency(metered),
    services: [...services.values()].toSorted((a, b) => a.name.localeCompare(b.name)),
  };
}

export async function listBudgets(ctx: Ctx): Promise<Out<typeof budgets.listBudgets>> {
  const organizationId = tenant(ctx);
  return {
    items: await viewsOf(ctx, organizationId, await budgetsOf(ctx, organizationId)),
    ...(await choicesOf(ctx, organizationId)),
  };
}

export async function createBudget(ctx: Ctx, input: In<typeof budgets.createBudget>): Promise<Budget> {
  const organizationId = tenant(ctx);
  await lockUntilEnd(ctx, `budgets ${organizationId}`);
  if ((await budgetsOf(ctx, organizationId)).length >= maxBudgets)
    throw domainError(budgetsErrors, 'budgets.too_many', { most: maxBudgets });
  const { currency, services } = await choicesOf(ctx, organizationId);
  const service =
    input.serviceId === undefined ? undefined : services.find((each) => each.id === input.serviceId);
  if (input.serviceId !== undefined && !service)
    throw domainError(budgetsErrors, 'budgets.service_not_subscribed', {}, ['serviceId']);
  assertFits(input.amount, service?.currency ?? currency);
  const id = ctx.newId('bud');
  await insertBudget(ctx, {
    id,
    organizationId,
    serviceId: service?.id ?? null,
    name: input.name,
    amount: input.amount,
    thresholds: inOrder(input.thresholds ?? initialThresholds),
    createdBy: person(ctx).userId,
  });
  return changed(ctx, organizationId, id);
}

export async function updateBudget(ctx: Ctx, input: In<typeof budgets.updateBudget>): Promise<Budget> {
  const organizationId = tenant(ctx);
  const budget = await lockBudget(ctx, input.budgetId, organizationId);
  if (!budget) throw domainError(budgetsErrors, 'budgets.not_found');
  const { name = budget.name, amount = budget.amount } = input;
  assertFits(amount, budget.amount.currency);
  await updateBudgetRow(ctx, budget.id, {
    name,
    amount,
    thresholds: inOrder(input.thresholds ?? budget.thresholds),
  });
  if (amount.minor !== budget.amount.minor)
    await deleteNotices(ctx, budget.id, (await measure(ctx, organizationId, [budget]))(budget).month);
  return changed(ctx, organizationId, budget.id);
}

export async function deleteBudget(ctx: Ctx, input: In<typeof budgets.deleteBudget>): Promise<null> {
  const organizationId = tenant(ctx);
  if (!(await deleteBudgetRow(ctx, input.budgetId, organizationId)))
    throw domainError(budgetsErrors, 'budgets.not_found');
  ctx.publish(`org/${organizationId}/usage`, { kind: 'usage' });
  return null;
}

function assertFits(amount: Money, currency: Currency): void {
  if (amount.currency !== currency)
    throw domainError(budgetsErrors, 'budgets.other_currency', { currency }, ['amount']);
  if (amount.minor <= 0n) throw domainError(budgetsErrors, 'budgets.amount_not_positive', {}, ['amount']);
}

/** Returns the changed budget; a job checks its thresholds separately. */
async function changed(ctx: Ctx, organizationId: Id<'org'>, id: string): Promise<Budget> {
  await askCheck(ctx, organizationId);
  ctx.publish(`org/${organizationId}/usage`, { kind: 'usage' });
  const row = required(
    (await budgetsOf(ctx, organizationId)).find((each) => each.id === id),
    'the budget',
  );
  return required((await viewsOf(ctx, organizationId, [row]))[0], 'the budget');
}
