// SQL of auto top-up, the warning about low credit, and the remaining credit by currency.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { TopUp } from '../contract.ts';
import { currentMonth } from './store.ts';

/** The remaining amount of grants that the organization's current month can use, in minor units. */
export type Left = { readonly currency: Currency; readonly paid: bigint; readonly promotional: bigint };

/** Returns the remaining credit by currency. Recurring grants count with what was granted so far. */
export async function leftOf(ctx: Ctx, organizationId: string): Promise<Left[]> {
  const { rows } =
    await sql<Left>`select g.currency, coalesce(sum(l.minor) filter (where g.kind = 'paid'), 0)::bigint as paid, coalesce(sum(l.minor) filter (where g.kind = 'promotional'), 0)::bigint as promotional
    from credit_grant g join organization o on o.id = g.organization_id
      cross join lateral (select case when g.recurs and not g.rolls_over then coalesce((select sum(m.minor) from credit_movement m where m.grant_id = g.id and m.month = ${currentMonth(ctx.now)}), 0) else g.remaining_minor end as minor) l
    where g.organization_id = ${organizationId} and g.withdrawn_at is null and g.starts_on <= ${currentMonth(ctx.now)} and (g.last_month is null or g.last_month >= ${currentMonth(ctx.now)})
    group by g.currency order by g.currency`.execute(ctx.db);
  return rows;
}

export type TopUpRow = TopUp & { readonly isWarned: boolean };
type Stored = {
  currency: Currency;
  threshold_minor: bigint | null;
  amount_minor: bigint | null;
  monthly_cap_minor: bigint | null;
  warn_below_minor: bigint | null;
  is_warned: boolean;
  bought: bigint;
};
const amountOf = (minor: bigint | null, currency: Currency): Money | null =>
  minor === null ? null : money(minor, currency);

/**
 * Returns the settings of an organization by currency; with `lock`, no other transaction can check them in
 * the meantime.
 */
export async function topUpsOf(ctx: Ctx, organizationId: string, lock = false): Promise<TopUpRow[]> {
  // Locked by a separate statement, so that later reads include what the lock waited for.
  if (lock)
    await sql`select 1 from credit_top_up where organization_id = ${organizationId} order by currency for update`.execute(
      ctx.db,
    );
  const { rows } =
    await sql<Stored>`select t.currency, t.threshold_minor, t.amount_minor, t.monthly_cap_minor, t.warn_below_minor, t.warned_at is not null as is_warned,
      coalesce((select sum(g.amount_minor) from credit_grant g where g.organization_id = t.organization_id and g.currency = t.currency and g.origin = 'top_up' and g.starts_on = ${currentMonth(ctx.now)}), 0)::bigint as bought
    from credit_top_up t join organization o on o.id = t.organization_id where t.organization_id = ${organizationId} order by t.currency`.execute(
      ctx.db,
    );
  return rows.map((row) => {
    const [threshold, amount, monthlyCap] = [
      row.threshold_minor,
      row.amount_minor,
      row.monthly_cap_minor,
    ].map((minor) => amountOf(minor, row.currency));
    return {
      currency: row.currency,
      topUp: threshold && amount && monthlyCap ? { threshold, amount, monthlyCap } : null,
      warnBelow: amountOf(row.warn_below_minor, row.currency),
      boughtThisMonth: money(row.bought, row.currency),
      isWarned: row.is_warned,
    };
  });
}

/** Stores the settings of one currency. A different threshold re-enables the warning. */
export async function storeTopUp(
  ctx: Ctx,
  organizationId: string,
  { currency, topUp, warnBelow }: Pick<TopUp, 'currency' | 'topUp' | 'warnBelow'>,
  by: string,
): Promise<void> {
  await sql`insert into credit_top_up as t (organization_id, currency, threshold_minor, amount_minor, monthly_cap_minor, warn_below_minor, changed_at, changed_by)
    values (${organizationId}, ${currency}, ${topUp?.threshold.minor ?? null}, ${topUp?.amount.minor ?? null}, ${topUp?.monthlyCap.minor ?? null}, ${warnBelow?.minor ?? null}, ${ctx.now}, ${by})
    on conflict (organization_id, currency) do update set threshold_minor = excluded.threshold_minor, amount_minor = excluded.amount_minor, monthly_cap_minor = excluded.monthly_cap_minor,
      warned_at = case when t.warn_below_minor is not distinct from excluded.warn_below_minor then t.warned_at end, warn_below_minor = excluded.warn_below_minor, changed_at = excluded.changed_at, changed_by = excluded.changed_by`.execute(
    ctx.db,
  );
}

/** Records that members were warned, or that the credit suffices again. */
export async function markWarned(
  ctx: Ctx,
  organizationId: string,
  currency: Currency,
  isWarned: boolean,
): Promise<void> {
  await sql`update credit_top_up set warned_at = ${isWarned ? ctx.now : null} where organization_id = ${organizationId} and currency = ${currency}`.execute(
    ctx.db,
  );
}

/** Returns organizations with auto top-up or a warning, ordered by id, `count` after a given one. */
export async function watchingAfter(ctx: Ctx, after: string, count: number): Promise<Id<'org'>[]> {
  const { rows } = await sql<{
    id: Id<'org'>;
  }>`select distinct organization_id as id from credit_top_up where organization_id > ${after} and (threshold_minor is not null or warn_below_minor is not null) order by 1 limit ${count}`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}
