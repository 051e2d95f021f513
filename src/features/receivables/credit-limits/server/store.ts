// SQL of credit limits: the configured limits, outstanding amounts, and the last check results.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { amountsIn } from '#features/invoicing/billing/server/index.ts';
import type { CreditLevel } from '../contract.ts';

/** The configured limits: for all organizations, or for one. */
export const limits = amountsIn<'crl'>('credit_limit');

type Owed = {
  readonly organizationId: string;
  readonly currency: Currency;
  readonly unpaid: bigint;
  readonly balance: bigint;
};
/**
 * Returns the amount due of issued bills, with disputed money that no bill is due for because it was spent from
 * the balance, and the prepaid balance without refunds in progress, in minor units.
 */
export async function owedOf(ctx: Ctx, organizationIds: readonly string[]): Promise<Owed[]> {
  const ids = [...organizationIds];
  const { rows } =
    await sql<Owed>`select organization_id as "organizationId", currency, sum(unpaid)::bigint as unpaid, sum(balance)::bigint as balance from (
      select organization_id, currency, total_minor - paid_minor - credited_minor as unpaid, 0::bigint as balance from bill where organization_id = any(${ids}::text[]) and state = 'open'
      union all select organization_id, currency, balance_minor, 0 from ledger_account where organization_id = any(${ids}::text[]) and kind = 'disputed'
      union all select organization_id, currency, 0, -balance_minor from ledger_account where organization_id = any(${ids}::text[]) and kind = 'balance'
      union all select organization_id, currency, 0, -amount_minor from payment_refund where organization_id = any(${ids}::text[]) and state = 'pending' and origin = 'admin') as parts
    group by 1, 2`.execute(ctx.db);
  return rows;
}

export type StateRow = {
  readonly organizationId: string;
  readonly currency: Currency;
  readonly level: CreditLevel;
  readonly since: Date;
};
/** Returns the last results, locked. Checks of an organization are serialized, including the first two. */
export async function lockStates(ctx: Ctx, organizationIds: readonly string[]): Promise<StateRow[]> {
  await sql`insert into credit_limit_check (organization_id, checked_at) select id, ${ctx.now} from unnest(${[...organizationIds]}::text[]) as o (id) order by id
    on conflict (organization_id) do update set checked_at = excluded.checked_at`.execute(ctx.db);
  const { rows } =
    await sql<StateRow>`select organization_id as "organizationId", currency, level, since from credit_limit_state where organization_id = any(${[...organizationIds]}::text[])
    order by organization_id, currency`.execute(ctx.db);
  return rows;
}

/** Whether any of some organizations was at a limit in its last check. */
export async function wasReached(ctx: Ctx, organizationIds: readonly string[]): Promise<boolean> {
  const { rows } =
    await sql`select 1 from credit_limit_state where organization_id = any(${[...organizationIds]}::text[]) and level = 'reached' limit 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Replaces the results of some organizations. */
export async function storeStates(
  ctx: Ctx,
  organizationIds: readonly string[],
  states: readonly (StateRow & { readonly used: bigint; readonly limit: bigint })[],
): Promise<void> {
  const ids = [...organizationIds];
  const of = <T>(pick: (state: (typeof states)[number]) => T): T[] => states.map(pick);
  await sql`delete from credit_limit_state where organization_id = any(${ids}::text[]) and (organization_id, currency) not in
    (select * from unnest(${of((each) => each.organizationId)}::text[], ${of((each) => each.currency)}::text[]))`.execute(
    ctx.db,
  );
  await sql`insert into credit_limit_state (organization_id, currency, used_minor, limit_minor, level, since)
    select * from unnest(${of((each) => each.organizationId)}::text[], ${of((each) => each.currency)}::text[], ${of((each) => each.used)}::bigint[], ${of((each) => each.limit)}::bigint[], ${of((each) => each.level)}::text[], ${of((each) => each.since)}::timestamptz[])
    on conflict (organization_id, currency) do update set used_minor = excluded.used_minor, limit_minor = excluded.limit_minor, level = excluded.level, since = excluded.since`.execute(
    ctx.db,
  );
}

/**
 * Returns the next organizations to check, least recently checked first: those with a limit in force, or with
 * a result of one that was removed.
 */
export async function organizationsToCheck(ctx: Ctx, before: Date, limit: number): Promise<Id<'org'>[]> {
  const { rows } = await sql<{
    id: Id<'org'>;
  }>`select o.id from organization o left join credit_limit_check c on c.organization_id = o.id
    where o.closed_at is null and coalesce(c.checked_at, '-infinity') < ${before}
      and (exists (select from credit_limit t where t.organization_id = o.id or t.organization_id is null) or exists (select from credit_limit_state s where s.organization_id = o.id))
    order by c.checked_at nulls first, o.id limit ${limit}`.execute(ctx.db);
  return rows.map((row) => row.id);
}

/** Whether any limit exists. */
export async function isAnySet(ctx: Ctx): Promise<boolean> {
  const { rows } = await sql`select from credit_limit limit 1`.execute(ctx.db);
  return rows.length > 0;
}

/**
 * Returns those of some organizations that have a limit: of their own, or, if there is one for all, all of
 * them.
 */
export async function withLimits(ctx: Ctx, organizationIds: readonly string[]): Promise<Set<string>> {
  return new Set((await limits.inForce(ctx, organizationIds)).keys());
}

/** Returns the organizations of some bills. */
export async function organizationsOfBills(ctx: Ctx, billIds: readonly string[]): Promise<Id<'org'>[]> {
  const { rows } = await sql<{
    id: Id<'org'>;
  }>`select distinct organization_id as id from bill where id = any(${[...billIds]}::text[])`.execute(ctx.db);
  return rows.map((row) => row.id);
}
