// Sends one notice for each budget threshold that a month newly reached, in a separate job so that metering
// does not wait for it.
import { decimalText } from '#kernel/decimal.ts';
import { moneyDecimal, moneyText, roundToMoney } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import { ttlCache } from '#platform/server/database/cached-reads.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import type { UsageChange } from '#features/metering/usage/server/index.ts';
import { newlyReached, percentOf, type BudgetNotice } from '../rules.ts';
import { measure, type Measured } from './figures.ts';
import {
  allWithBudgets,
  budgetsToCheck,
  recordReached,
  noticesByBudget,
  withBudgets,
  type BudgetRow,
} from './store.ts';

const actor = { kind: 'system', name: 'budgets' } as const;
const checkName = 'budgets.check';

/** Enqueues a check of an organization's budgets, unless one is already waiting. */
export async function askCheck(ctx: Ctx, organizationId: string): Promise<void> {
  await ctx.enqueue(checkName, { organizationId }, organizationId);
}

/** After usage was recorded, enqueues checks for the organizations that have budgets. */
export async function askChecks(ctx: Ctx, changes: readonly UsageChange[]): Promise<void> {
  const organizations = new Set(changes.map((change) => change.subscription.organizationId));
  for (const organizationId of await ownersAmong(ctx, organizations)) await askCheck(ctx, organizationId);
}

/** Whether an organization has budgets. */
const budgetOwners = ttlCache<boolean>();

/**
 * Returns those of the organizations that have budgets. Cached, because metering asks many times a second
 * while budgets rarely change.
 */
async function ownersAmong(ctx: Ctx, organizations: ReadonlySet<string>): Promise<readonly string[]> {
  const cache = budgetOwners(ctx.app);
  const known = new Map([...organizations].map((id) => [id, cache.get(id)]));
  const unknown = [...organizations].filter((id) => known.get(id) === undefined);
  if (unknown.length > 0) {
    const owners = new Set<string>(await withBudgets(ctx, unknown));
    for (const id of unknown) {
      cache.set(id, owners.has(id));
      known.set(id, owners.has(id));
    }
  }
  return [...organizations].filter((id) => known.get(id));
}

/** Checks all budgets of an organization. */
export async function checkBudgets(ctx: Ctx, organizationId: string): Promise<void> {
  const budgets = await budgetsToCheck(ctx, organizationId);
  const [first] = budgets;
  if (!first) return;
  const measured = await measure(ctx, organizationId, budgets);
  const noticesOf = await noticesByBudget(
    ctx,
    budgets.map((budget) => budget.id),
    measured(first).month,
  );
  for (const budget of budgets) {
    const now = measured(budget);
    const { reached, notify } = newlyReached(
      budget.thresholds,
      moneyDecimal(budget.amount),
      now.figures,
      noticesOf(budget.id),
    );
    if (reached.length === 0) continue;
    const recorded = await recordReached(ctx, budget.id, now.month, reached);
    for (const each of notify.filter(({ kind, threshold }) =>
      recorded.some((one) => one.kind === kind && one.threshold === threshold),
    ))
      await post(ctx, budget, now, each);
    ctx.publish(`org/${organizationId}/usage`, { kind: 'usage' });
  }
}

async function post(
  ctx: Ctx,
  { id, organizationId, name, amount }: BudgetRow,
  { month, figures, billed, rounding }: Measured,
  { kind, threshold }: BudgetNotice,
): Promise<void> {
  const part = kind === 'actual' ? figures.actual : figures.expected;
  await postToOrganizations(ctx, [
    {
      organizationId,
      notice: {
        // Notices are unique by kind, subject and period, so the period includes the amount: a changed amount
        // has its own notices.
        kind: `budget.${kind}`,
        type: 'warning',
        category: 'billing',
        subject: id,
        period: `${month} ${threshold} ${moneyText(amount)}`,
        textKey: kind === 'actual' ? 'budgets.notice_actual' : 'budgets.notice_forecast',
        params: {
          name,
          threshold,
          percent: percentOf(part, moneyDecimal(amount)),
          amount: moneyText(kind === 'actual' ? billed : roundToMoney(part.plus(rounding), amount.currency)),
          currency: amount.currency,
          limit: decimalText(moneyDecimal(amount)),
        },
        link: '/billing/dashboard',
        otherLinks: ['/dashboard', '/usage/statistics'],
      },
    },
  ]);
}

export const checkBudgetsJob: Job = job<{ organizationId: string }>({
  name: checkName,
  run: async (app, { organizationId }) => {
    await unitOfWork(app, { actor }, (ctx) => checkBudgets(ctx, organizationId));
  },
});

/** Figures also change without usage: fees start, a completed day changes the forecast, a month ends. */
export const sweepBudgetsJob: Job = job({
  name: 'budgets.sweep',
  schedule: '7 * * * *',
  run: async (app, _payload, signal) => {
    for (const organizationId of await unitOfWork(app, { actor, mode: 'read' }, (ctx) =>
      allWithBudgets(ctx),
    )) {
      if (signal.aborted) return;
      await unitOfWork(app, { actor }, (ctx) => checkBudgets(ctx, organizationId));
    }
  },
});
