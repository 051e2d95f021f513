// SQL of budgets.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { BudgetKind } from '../contract.ts';
import type { BudgetNotice } from '../rules.ts';

export type BudgetRow = {
  readonly id: Id<'bud'>;
  readonly organizationId: Id<'org'>;
  readonly service: { readonly id: Id<'svc'>; readonly name: string } | null;
  readonly name: string;
  readonly amount: Money;
  readonly thresholds: readonly number[];
  readonly createdAt: Date;
};
type Stored = {
  id: Id<'bud'>;
  organizationId: Id<'org'>;
  serviceId: Id<'svc'> | null;
  serviceName: string | null;
  name: string;
  amount: bigint;
  currency: Currency;
  thresholds: number[];
  createdAt: Date;
};

const toRow = ({ serviceId, serviceName, amount, currency, ...row }: Stored): BudgetRow => ({
  ...row,
  amount: money(amount, currency),
  service: serviceId === null ? null : { id: serviceId, name: serviceName ?? '' },
});
const columns = sql`b.id, b.organization_id as "organizationId", b.service_id as "serviceId", s.name as "serviceName", b.name, b.amount, b.currency, b.thresholds, b.created_at as "createdAt"`;

/** Returns an organization's budgets, oldest first. */
export async function budgetsOf(ctx: Ctx, organizationId: string): Promise<BudgetRow[]> {
  const { rows } =
    await sql<Stored>`select ${columns} from budget b left join service s on s.id = b.service_id where b.organization_id = ${organizationId} order by b.id`.execute(
      ctx.db,
    );
  return rows.map(toRow);
}

/**
 * Returns an organization's budgets for a check, oldest first, locked until the transaction ends. Otherwise a
 * check of the old amount that finishes after a change would record its thresholds as notified for the new
 * one.
 */
export async function budgetsToCheck(ctx: Ctx, organizationId: string): Promise<BudgetRow[]> {
  const { rows } =
    await sql<Stored>`select ${columns} from budget b left join service s on s.id = b.service_id where b.organization_id = ${organizationId} order by b.id for share of b`.execute(
      ctx.db,
    );
  return rows.map(toRow);
}

/** Returns one budget of an organization, locked until the transaction ends. */
export async function lockBudget(
  ctx: Ctx,
  id: string,
  organizationId: string,
): Promise<BudgetRow | undefined> {
  const { rows } =
    await sql<Stored>`select ${columns} from budget b left join service s on s.id = b.service_id where b.id = ${id} and b.organization_id = ${organizationId} for update of b`.execute(
      ctx.db,
    );
  return rows[0] && toRow(rows[0]);
}

export async function insertBudget(
  ctx: Ctx,
  budget: {
    id: string;
    organizationId: string;
    serviceId: string | null;
    name: string;
    amount: Money;
    thresholds: readonly number[];
    createdBy: string;
  },
): Promise<void> {
  await sql`insert into budget (id, organization_id, service_id, name, amount, currency, thresholds, created_by, created_at)
    values (${budget.id}, ${budget.organizationId}, ${budget.serviceId}, ${budget.name}, ${budget.amount.minor}, ${budget.amount.currency}, ${[...budget.thresholds]}::int[], ${budget.createdBy}, ${ctx.now})`.execute(
    ctx.db,
  );
}

export async function updateBudgetRow(
  ctx: Ctx,
  id: string,
  to: { name: string; amount: Money; thresholds: readonly number[] },
): Promise<void> {
  await sql`update budget set name = ${to.name}, amount = ${to.amount.minor}, thresholds = ${[...to.thresholds]}::int[] where id = ${id}`.execute(
    ctx.db,
  );
}

/** Deletes a budget of an organization; false if the organization has no such budget. */
export async function deleteBudgetRow(ctx: Ctx, id: string, organizationId: string): Promise<boolean> {
  const { rows } =
    await sql`delete from budget where id = ${id} and organization_id = ${organizationId} returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

export type BudgetNoticeRow = BudgetNotice & { readonly at: Date };
/** Returns the notices sent for budgets in a month, by budget id. */
export async function noticesByBudget(
  ctx: Ctx,
  budgetIds: readonly string[],
  month: string,
): Promise<(budgetId: string) => readonly BudgetNoticeRow[]> {
  const { rows } = await sql<{
    budgetId: string;
    kind: BudgetKind;
    threshold: number;
    at: Date;
  }>`select budget_id as "budgetId", kind, threshold, told_at as at from budget_told where budget_id = any(${[...budgetIds]}::text[]) and month = ${month} order by told_at, kind, threshold`.execute(
    ctx.db,
  );
  const byBudget = Map.groupBy(rows, (row) => row.budgetId);
  return (budgetId) =>
    (byBudget.get(budgetId) ?? []).map(({ kind, threshold, at }) => ({ kind, threshold, at }));
}

/** Records reached thresholds; returns those that were not recorded before. */
export async function recordReached(
  ctx: Ctx,
  budgetId: string,
  month: string,
  reached: readonly BudgetNotice[],
): Promise<BudgetNotice[]> {
  const { rows } =
    await sql<BudgetNotice>`insert into budget_told (budget_id, month, kind, threshold, told_at)
    select ${budgetId}, ${month}, kind, threshold, ${ctx.now} from unnest(${reached.map((each) => each.kind)}::text[], ${reached.map((each) => each.threshold)}::int[]) as t (kind, threshold)
    on conflict do nothing returning kind, threshold`.execute(ctx.db);
  return rows;
}

/**
 * Deletes a budget's notices of a month after the budget was changed, so that its new thresholds can be
 * notified.
 */
export async function deleteNotices(ctx: Ctx, budgetId: string, month: string): Promise<void> {
  await sql`delete from budget_told where budget_id = ${budgetId} and month = ${month}`.execute(ctx.db);
}

/** Returns which of some organizations have budgets. */
export async function withBudgets(ctx: Ctx, organizationIds: readonly string[]): Promise<Id<'org'>[]> {
  const { rows } = await sql<{ id: Id<'org'> }>`--hot budget-owners
    select distinct organization_id as id from budget where organization_id = any(${[...organizationIds]}::text[])`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

/** Returns all organizations that have a budget. */
export async function allWithBudgets(ctx: Ctx): Promise<Id<'org'>[]> {
  const { rows } = await sql<{
    id: Id<'org'>;
  }>`select distinct organization_id as id from budget order by 1`.execute(ctx.db);
  return rows.map((row) => row.id);
}
