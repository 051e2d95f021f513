// Projects how much credit the bills of open months will use and how much they will draw from commitments,
// before they are issued.
import type { Id } from '#kernel/ids.ts';
import { money, type Money } from '#kernel/money.ts';
import { addMonths, monthOf } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationsByIds } from '#features/access/identity/server/index.ts';
import type { BillsAhead } from '#features/invoicing/commitments/server/index.ts';
import { ownerKey } from '#features/invoicing/credit-grants/rules.ts';
import type { PlannedOfOwner, PlannedUse } from '#features/invoicing/credit-grants/server/index.ts';
import { paidForBy } from '#features/invoicing/payers/server/index.ts';
import type { BillPlan, TakenOf } from '../rules.ts';
import { planMonth, planRunningMonth } from './plan-month.ts';
import { closedFor } from './store-late.ts';

/**
 * The planned bills of an organization's open months: the current one, and the previous one until it is
 * closed.
 */
type OpenMonths = {
  readonly organizationId: Id<'org'>;
  /** The payers of both. */
  readonly payers: { readonly before: Id<'org'>; readonly running: Id<'org'> };
  readonly before: readonly BillPlan[];
  readonly running: readonly BillPlan[];
  /** The bills of both months to others who pay for single subscriptions. */
  readonly ofOthers: readonly { readonly payerId: Id<'org'>; readonly plan: BillPlan }[];
};

async function planOpenMonths(ctx: Ctx, organizationIds: readonly Id<'org'>[]): Promise<OpenMonths[]> {
  const organizations = await organizationsByIds(ctx, organizationIds);
  const open: OpenMonths[] = [];
  const inMonth = Map.groupBy(organizations, ({ timeZone }) => monthOf(ctx.now, timeZone));
  for (const [month, members] of inMonth) {
    const monthBefore = addMonths(month, -1);
    const closed = await closedFor(
      ctx,
      members.map(({ id }) => id),
      monthBefore,
    );
    const unclosed = members.filter(({ id }) => !closed.has(id));
    const before = await planMonth(ctx, monthBefore, unclosed);
    const running = await planRunningMonth(ctx, month, members);
    for (const organization of members) {
      const { id } = organization;
      open.push({
        organizationId: id,
        payers: {
          before: before.payers.ofOrganization(organization).id,
          running: running.payers.ofOrganization(organization).id,
        },
        before: before.plans.get(id) ?? [],
        running: running.plans.get(id) ?? [],
        ofOthers: [before, running].flatMap(({ others }) =>
          (others.get(id) ?? []).flatMap(({ payer, plans }) =>
            plans.map((plan) => ({ payerId: payer.id, plan })),
          ),
        ),
      });
    }
  }
  return open;
}

/** Returns how much credit the open months will use, in minor units by organization and currency. */
export async function plannedCreditUse(ctx: Ctx, organizationIds: readonly Id<'org'>[]): Promise<PlannedUse> {
  const planned = new Map<string, PlannedOfOwner>();
  for (const { organizationId, before, running } of await planOpenMonths(ctx, organizationIds))
    for (const { currency, applied } of [...before, ...running]) {
      const key = ownerKey(organizationId, currency);
      const sums = planned.get(key) ?? { paid: 0n, promotional: 0n, paidByGrant: new Map() };
      const paidByGrant = new Map(sums.paidByGrant);
      for (const { id, amount } of applied.prepaid)
        paidByGrant.set(id, (paidByGrant.get(id) ?? 0n) + amount.minor);
      planned.set(key, {
        paid: sums.paid + sumOf(applied.prepaid),
        promotional: sums.promotional + sumOf(applied.promotional),
        paidByGrant,
      });
    }
  return planned;
}

/**
 * Returns what the open months would be billed to organizations now, by currency, for their own usage and
 * that of organizations they pay for: with tax, after discounts and interim bills, excluding what prepaid
 * credit pays. A month that is over counts until it is closed.
 */
export async function unbilledOf(
  ctx: Ctx,
  organizationIds: readonly Id<'org'>[],
): Promise<{ readonly organizationId: Id<'org'>; readonly amount: Money }[]> {
  const wanted = new Set<string>(organizationIds);
  const users = [...new Set([...organizationIds, ...(await paidForBy(ctx, organizationIds))])];
  return (await planOpenMonths(ctx, users))
    .flatMap(({ payers, before, running, ofOthers }) => [
      ...before.map((plan) => ({ payerId: payers.before, plan })),
      ...running.map((plan) => ({ payerId: payers.running, plan })),
      ...ofOthers,
    ])
    .filter(({ payerId }) => wanted.has(payerId))
    .map(({ payerId, plan: { currency, total, applied } }) => ({
      organizationId: payerId,
      amount: money(total.minor - sumOf(applied.prepaid), currency),
    }));
}

const sumOf = (taken: readonly TakenOf<string>[]): bigint =>
  taken.reduce((sum, { amount }) => sum + amount.minor, 0n);

/**
 * Returns how much the open months will draw from the current period of commitments, in minor units by
 * commitment.
 */
export const plannedDraw: BillsAhead['plannedDraw'] = async (ctx, organizationIds) => {
  const planned = new Map<string, { period: number; draw: bigint }>();
  for (const { before, running } of await planOpenMonths(ctx, organizationIds))
    for (const { id, period, drawn } of [...running, ...before].flatMap(
      ({ applied }) => applied.commitments,
    )) {
      const sum = planned.get(id) ?? { period, draw: 0n };
      // The previous month may belong to the previous period.
      if (period === sum.period) planned.set(id, { period, draw: sum.draw + drawn.minor });
    }
  return planned;
};
