// SQL of bills' draws from commitments: what is in force, locked, recorded and released.
import { sql } from 'kysely';
import { trimDecimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthNumber } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Use } from '../contract.ts';
import type { Scope } from '#features/invoicing/credit-grants/rules.ts';
import type { CommitmentInForce, CommitmentTerms, DrawOfLine, DrawRank, PeriodSums } from '../rules.ts';
import { termsColumns, toTerms, type TermsColumns } from './store.ts';

export type BilledCommitment = Omit<
  CommitmentInForce,
  'period' | 'amount' | 'target' | 'drawn' | 'trueUp' | 'settles'
> & {
  readonly organizationId: string;
  readonly terms: CommitmentTerms;
  readonly rank: DrawRank;
  /** Of the month's period, by bills in force. */
  readonly sums: PeriodSums;
};

/**
 * Returns the commitments of organizations that a month's bills draw from, in one statement. Draws of the
 * bill `without` do not count.
 */
export async function commitmentsForMonth(
  ctx: Ctx,
  organizationIds: readonly string[],
  month: BillingMonth,
  without: string | null,
): Promise<BilledCommitment[]> {
  const numberOf = (column: string) =>
    sql`(substr(${sql.raw(column)}, 1, 4)::int * 12 + substr(${sql.raw(column)}, 6, 2)::int - 1)`;
  const { rows } = await sql<
    TermsColumns & {
      id: Id<'cmt'>;
      organizationId: string;
      version: bigint;
      nameZhTw: string;
      nameEnUs: string;
      services: string[] | null;
      charges: Scope['charges'];
      usageOnly: boolean;
      currency: Currency;
      committedPercent: string;
      overagePercent: string;
      createdAt: Date;
      drawn: bigint;
      trueUp: bigint;
      settled: bigint;
    }
  >`select c.id, c.organization_id as "organizationId", c.version, c.name_zh_tw as "nameZhTw", c.name_en_us as "nameEnUs", c.services, c.charges, c.usage_only as "usageOnly", c.currency, c.committed_percent as "committedPercent", c.overage_percent as "overagePercent", c.created_at as "createdAt", ${termsColumns},
      coalesce(p.drawn_minor, 0) - coalesce(w.drawn_minor, 0) as drawn, coalesce(p.true_up_minor, 0) - coalesce(w.true_up_minor, 0) as "trueUp",
      coalesce(p.settlements, 0)::bigint - coalesce(w.is_settlement, false)::int as settled
    from commitment c
      left join commitment_period p on p.commitment_id = c.id and p.period = (${monthNumber(month)} - ${numberOf('c.starts_on')}) / c.period_months
      left join commitment_use w on w.commitment_id = c.id and w.bill_id = ${without} and w.released_at is null and w.period = p.period
    where c.organization_id = any(${[...organizationIds]}::text[]) and c.starts_on <= ${month} and c.last_month >= ${month}`.execute(
    ctx.db,
  );
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organizationId,
    version: row.version,
    name: { zhTW: row.nameZhTw, enUS: row.nameEnUs },
    scope: { services: row.services, charges: row.charges, usageOnly: row.usageOnly },
    currency: row.currency,
    committedPercent: trimDecimal(row.committedPercent),
    overagePercent: trimDecimal(row.overagePercent),
    terms: toTerms(row),
    rank: { scope: row, createdAt: row.createdAt, id: row.id },
    sums: { drawn: row.drawn, trueUp: row.trueUp, isSettled: row.settled > 0n },
  }));
}

/**
 * Locks commitments until the transaction ends, in the order of their ids, and increments their versions.
 * Returns how many it incremented: all, or none if one has a different version than was read. A single
 * statement: the rows that it updates are the locked ones only if no version has changed since it started.
 */
export async function raiseHeld(
  ctx: Ctx,
  read: readonly { readonly id: string; readonly version: bigint }[],
): Promise<number> {
  const { rows } = await sql`with held as materialized (
      select id, version from commitment where id = any(${read.map(({ id }) => id)}::text[]) order by id for no key update
    ), changed as (
      select 1 from unnest(${read.map(({ id }) => id)}::text[], ${read.map(({ version }) => version)}::bigint[]) as r (id, version)
        left join held h on h.id = r.id where h.version is distinct from r.version
    )
    update commitment c set version = c.version + 1 from held h where c.id = h.id and not exists (select 1 from changed) returning 1`.execute(
    ctx.db,
  );
  return rows.length;
}

export type NewUse = {
  readonly id: Id<'cmt'>;
  readonly billId: string;
  readonly billNumber: string;
  readonly month: BillingMonth;
  readonly period: number;
  readonly drawn: Money;
  readonly trueUp: Money;
  readonly isSettlement: boolean;
  /** Each line's part of the draw. */
  readonly draws: readonly DrawOfLine[];
};

const asStored = ({ position, minor, split }: DrawOfLine) => ({
  position,
  minor: String(minor),
  ...(split && { within: String(split.within), beyond: String(split.beyond) }),
});

/** A line that is partly within a commitment: amounts after discounts in minor units, before either rate. */
export type SplitLine = {
  readonly commitmentId: Id<'cmt'>;
  readonly position: number;
  readonly within: bigint;
  readonly beyond: bigint;
};

/** Returns the split lines of a bill; bills issued before splits were recorded have none. */
export async function splitsOfBill(ctx: Ctx, billId: string): Promise<SplitLine[]> {
  const { rows } =
    await sql<SplitLine>`select u.commitment_id as "commitmentId", (x.of ->> 'position')::int as position, (x.of ->> 'within')::bigint as within, (x.of ->> 'beyond')::bigint as beyond
    from commitment_use u cross join lateral jsonb_array_elements(u.draws) as x (of) where u.bill_id = ${billId} and x.of ? 'within'`.execute(
      ctx.db,
    );
  return rows;
}

/** The name of a commitment, and its rates in percent of the price, which never change. */
export type RatesOfCommitment = Pick<CommitmentInForce, 'name' | 'committedPercent' | 'overagePercent'>;

/** Returns the names and rates of commitments, by id. */
export async function ratesOf(
  ctx: Ctx,
  commitmentIds: readonly string[],
): Promise<ReadonlyMap<string, RatesOfCommitment>> {
  const { rows } = await sql<{
    id: string;
    nameZhTw: string;
    nameEnUs: string;
    committed: string;
    overage: string;
  }>`select id, name_zh_tw as "nameZhTw", name_en_us as "nameEnUs", committed_percent as committed, overage_percent as overage from commitment where id = any(${[...commitmentIds]}::text[])`.execute(
    ctx.db,
  );
  return new Map(
    rows.map((row) => [
      row.id,
      {
        name: { zhTW: row.nameZhTw, enUS: row.nameEnUs },
        committedPercent: trimDecimal(row.committed),
        overagePercent: trimDecimal(row.overage),
      },
    ]),
  );
}

/** Stores the draws of bills in one statement; returns the affected organizations. */
export async function insertUses(ctx: Ctx, uses: readonly NewUse[]): Promise<Id<'org'>[]> {
  const { rows } = await sql<{
    id: Id<'org'>;
  }>`with added as (insert into commitment_use (commitment_id, bill_id, bill_number, month, period, drawn_minor, true_up_minor, is_settlement, draws, at)
      select u.*, ${ctx.now}::timestamptz from unnest(${uses.map((use) => use.id)}::text[], ${uses.map((use) => use.billId)}::text[], ${uses.map((use) => use.billNumber)}::text[], ${uses.map((use) => use.month)}::text[], ${uses.map((use) => use.period)}::smallint[], ${uses.map((use) => use.drawn.minor)}::bigint[], ${uses.map((use) => use.trueUp.minor)}::bigint[], ${uses.map((use) => use.isSettlement)}::boolean[], ${uses.map(({ draws }) => JSON.stringify(draws.map(asStored)))}::jsonb[]) as u
      returning commitment_id)
    select distinct c.organization_id as id from added a join commitment c on c.id = a.commitment_id`.execute(
    ctx.db,
  );
  return rows.map(({ id }) => id);
}

/** Releases the draws of a voided bill; returns the affected organizations. */
export async function releaseUses(ctx: Ctx, billId: string): Promise<Id<'org'>[]> {
  const { rows } = await sql<{
    id: Id<'org'>;
  }>`update commitment_use u set released_at = ${ctx.now} from commitment c where c.id = u.commitment_id and u.bill_id = ${billId} and u.released_at is null returning c.organization_id as id`.execute(
    ctx.db,
  );
  return [...new Set(rows.map(({ id }) => id))];
}

/** Returns the draws of bills from a commitment, newest first, including voided ones. */
export async function usesOf(ctx: Ctx, commitmentId: string, currency: Currency): Promise<Use[]> {
  const { rows } = await sql<{
    billId: Id<'bil'>;
    billNumber: string;
    month: BillingMonth;
    period: number;
    drawn: bigint;
    trueUp: bigint;
    isSettlement: boolean;
    at: Date;
    releasedAt: Date | null;
  }>`select bill_id as "billId", bill_number as "billNumber", month, period, drawn_minor as drawn, true_up_minor as "trueUp", is_settlement as "isSettlement", at, released_at as "releasedAt"
    from commitment_use where commitment_id = ${commitmentId} order by month desc, at desc, bill_id desc`.execute(
    ctx.db,
  );
  return rows.map((row) => ({
    bill: { id: row.billId, number: row.billNumber },
    month: row.month,
    periodIndex: row.period,
    drawn: money(row.drawn, currency),
    trueUp: money(row.trueUp, currency),
    isSettlement: row.isSettlement,
    at: row.at,
    releasedAt: row.releasedAt,
  }));
}

/** Returns the draws of bills in force, by commitment and month. */
export async function drawsOf(
  ctx: Ctx,
  commitmentIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly month: BillingMonth; readonly drawn: bigint }[]>> {
  const { rows } = await sql<{
    id: string;
    month: BillingMonth;
    drawn: bigint;
  }>`select commitment_id as id, month, sum(drawn_minor)::bigint as drawn from commitment_use where commitment_id = any(${[...commitmentIds]}::text[]) and released_at is null group by 1, 2`.execute(
    ctx.db,
  );
  return Map.groupBy(rows, ({ id }) => id);
}
