// SQL of commitments with the sums of their periods, and their lists.
import { sql, type RawBuilder } from 'kysely';
import type { In } from '#kernel/contract.ts';
import { trimDecimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { BillingMonth, Page } from '#kernel/shape.ts';
import {
  allOf,
  containsPattern,
  orderOf,
  readPage,
  searchTotalCap,
  type ListOrder,
  readTotal,
} from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type {
  CommitmentPeriod,
  CommitmentRisk,
  Commitment,
  commitments,
  CommitmentState,
  Settlement,
} from '../contract.ts';
import { chargesNamed } from '#features/invoicing/credit-grants/server/index.ts';
import type { Scope } from '#features/invoicing/credit-grants/rules.ts';
import type { CommitmentTerms, Outlook, PeriodSums } from '../rules.ts';

/** A stored commitment with the sums of its bills. Amounts are minor units. */
export type CommitmentRow = {
  readonly id: Id<'cmt'>;
  readonly organizationId: Id<'org'>;
  readonly organization: string;
  readonly timeZone: string;
  readonly name: { readonly zhTW: string; readonly enUS: string };
  readonly currency: Currency;
  readonly services: { id: Id<'svc'>; name: string }[] | null;
  readonly charges: Commitment['scope']['charges'];
  readonly usageOnly: boolean;
  readonly terms: CommitmentTerms;
  readonly committedPercent: string;
  readonly overagePercent: string;
  readonly note: string;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly endedAt: Date | null;
  readonly endedBy: string | null;
  readonly endReason: string | null;
  /** By period; one without bills is missing. */
  readonly sums: ReadonlyMap<number, PeriodSums>;
  /** The last estimate; null if there is none yet. */
  readonly estimate: (Outlook & { readonly period: number; readonly at: Date }) | null;
};

export type StoredCommitment = TermsColumns & {
  id: Id<'cmt'>;
  organizationId: Id<'org'>;
  organization: string;
  timeZone: string;
  nameZhTw: string;
  nameEnUs: string;
  currency: Currency;
  services: { id: Id<'svc'>; name: string }[] | null;
  charges: Commitment['scope']['charges'];
  usageOnly: boolean;
  committedPercent: string;
  overagePercent: string;
  note: string;
  createdAt: Date;
  creatorName: string;
  endedAt: Date | null;
  enderName: string | null;
  endReason: string | null;
  sums: [period: number, drawn: string, trueUp: string, settlements: number][];
  estimatePeriod: number | null;
  estimatedAt: Date | null;
  used: bigint | null;
  expected: bigint | null;
  trueUp: bigint | null;
  risk: CommitmentRisk | null;
};

/** The columns of `commitment c` with its terms. */
export type TermsColumns = {
  startsOn: BillingMonth;
  months: number;
  period: CommitmentPeriod;
  amountsMinor: bigint[];
  lastMonth: BillingMonth;
  settlement: Settlement | null;
};
export const termsColumns = sql<TermsColumns>`c.starts_on as "startsOn", c.months, c.period, c.amounts_minor as "amountsMinor", c.last_month as "lastMonth", c.settlement`;
export const toTerms = (row: TermsColumns): CommitmentTerms => ({
  startsOn: row.startsOn,
  months: row.months,
  period: row.period,
  amounts: row.amountsMinor,
  ended: row.settlement === null ? null : { lastMonth: row.lastMonth, settlement: row.settlement },
});

/** The current month of the organization `o` in its own time zone. */
const currentMonth = (now: Date): RawBuilder<unknown> =>
  sql`to_char(${now}::timestamptz at time zone o.time_zone, 'YYYY-MM')`;
const stateAt = (now: Date): RawBuilder<CommitmentState> => sql<CommitmentState>`case
    when c.last_month < c.starts_on or c.last_month < ${currentMonth(now)} then 'ended'
    when c.starts_on > ${currentMonth(now)} then 'upcoming'
    else 'active' end`;

const columnsAt = (
  now: Date,
) => sql<StoredCommitment>`c.id, c.organization_id as "organizationId", o.name as organization, o.time_zone as "timeZone", c.name_zh_tw as "nameZhTw", c.name_en_us as "nameEnUs", c.currency, c.usage_only as "usageOnly", ${termsColumns}, c.committed_percent as "committedPercent", c.overage_percent as "overagePercent", c.note, c.created_at as "createdAt", c.creator_name as "creatorName", c.ended_at as "endedAt", c.ender_name as "enderName", c.end_reason as "endReason",
  x.period as "estimatePeriod", x.at as "estimatedAt", x.used_minor as used, x.expected_minor as expected, x.true_up_minor as "trueUp", x.risk,
  (select json_agg(json_build_object('id', s.id, 'name', s.name) order by s.name, s.id) from service s where s.id = any(c.services)) as services,
  ${chargesNamed('c.charges', now)} as charges,
  (select coalesce(json_agg(json_build_array(p.period, p.drawn_minor::text, p.true_up_minor::text, p.settlements)), '[]') from commitment_period p where p.commitment_id = c.id) as sums`;
const tables = sql`commitment c join organization o on o.id = c.organization_id left join commitment_outlook x on x.commitment_id = c.id`;

export function toCommitment(row: StoredCommitment): CommitmentRow {
  const { estimatePeriod, estimatedAt, used, expected, trueUp, risk } = row;
  return {
    id: row.id,
    organizationId: row.organizationId,
    organization: row.organization,
    timeZone: row.timeZone,
    name: { zhTW: row.nameZhTw, enUS: row.nameEnUs },
    currency: row.currency,
    services: row.services,
    charges: row.charges,
    usageOnly: row.usageOnly,
    terms: toTerms(row),
    committedPercent: trimDecimal(row.committedPercent),
    overagePercent: trimDecimal(row.overagePercent),
    note: row.note,
    createdAt: row.createdAt,
    createdBy: row.creatorName,
    endedAt: row.endedAt,
    endedBy: row.enderName,
    endReason: row.endReason,
    sums: new Map(
      row.sums.map(([period, drawn, charged, count]) => [
        period,
        { drawn: BigInt(drawn), trueUp: BigInt(charged), isSettled: count > 0 },
      ]),
    ),
    estimate:
      estimatePeriod === null ||
      estimatedAt === null ||
      used === null ||
      expected === null ||
      trueUp === null ||
      risk === null
        ? null
        : { period: estimatePeriod, at: estimatedAt, used, expected, trueUp, risk },
  };
}

export type NewCommitment = {
  readonly id: Id<'cmt'>;
  readonly organizationId: Id<'org'>;
  readonly name: CommitmentRow['name'];
  readonly currency: Currency;
  readonly scope: Scope;
  readonly terms: CommitmentTerms;
  readonly periodMonths: number;
  readonly lastMonth: BillingMonth;
  readonly committedPercent: string;
  readonly overagePercent: string;
  readonly note: string;
  readonly by: Person;
};
type Person = { readonly id: string; readonly name: string };

export async function insertCommitment(ctx: Ctx, made: NewCommitment): Promise<void> {
  const { terms, name } = made;
  await sql`insert into commitment (id, organization_id, name_zh_tw, name_en_us, currency, services, charges, usage_only, starts_on, months, period, period_months, amounts_minor, committed_percent, overage_percent, last_month, note, created_at, created_by, creator_name)
    values (${made.id}, ${made.organizationId}, ${name.zhTW}, ${name.enUS}, ${made.currency}, ${made.scope.services && [...made.scope.services]}::text[], ${made.scope.charges && JSON.stringify(made.scope.charges)}::jsonb, ${made.scope.usageOnly}, ${terms.startsOn}, ${terms.months}, ${terms.period}, ${made.periodMonths}, ${[...terms.amounts]}::bigint[], ${made.committedPercent}::numeric, ${made.overagePercent}::numeric, ${made.lastMonth}, ${made.note}, ${ctx.now}, ${made.by.id}, ${made.by.name})`.execute(
    ctx.db,
  );
}

/**
 * Returns one commitment; with `lock`, no bill can draw from it and no one can end it until the transaction
 * ends.
 */
export async function commitmentById(
  ctx: Ctx,
  commitmentId: string,
  lock = false,
): Promise<CommitmentRow | undefined> {
  // Locked by a separate statement, so that later reads include what the lock waited for.
  if (lock) await sql`select 1 from commitment where id = ${commitmentId} for no key update`.execute(ctx.db);
  const { rows } =
    await sql<StoredCommitment>`select ${columnsAt(ctx.now)} from ${tables} where c.id = ${commitmentId}`.execute(
      ctx.db,
    );
  return rows[0] && toCommitment(rows[0]);
}

/** Returns an organization's commitments: current ones first, then upcoming, then ended; at most 100. */
export async function commitmentsOfOrganization(ctx: Ctx, organizationId: string): Promise<CommitmentRow[]> {
  const { rows } = await sql<StoredCommitment>`select ${columnsAt(ctx.now)} from ${tables}
    where c.organization_id = ${organizationId}
    order by array_position(array['active', 'upcoming', 'ended'], ${stateAt(ctx.now)}), c.last_month desc, c.created_at desc, c.id limit 100`.execute(
    ctx.db,
  );
  return rows.map(toCommitment);
}

/** Returns the current commitments of organizations. */
export async function runningCommitments(
  ctx: Ctx,
  organizationIds: readonly string[],
): Promise<CommitmentRow[]> {
  const { rows } = await sql<StoredCommitment>`select ${columnsAt(ctx.now)} from ${tables}
    where c.organization_id = any(${[...organizationIds]}::text[]) and ${stateAt(ctx.now)} = 'active' order by c.id`.execute(
    ctx.db,
  );
  return rows.map(toCommitment);
}

export async function renameCommitment(
  ctx: Ctx,
  commitmentId: string,
  { name, note }: Pick<CommitmentRow, 'name' | 'note'>,
): Promise<void> {
  await sql`update commitment set name_zh_tw = ${name.zhTW}, name_en_us = ${name.enUS}, note = ${note} where id = ${commitmentId}`.execute(
    ctx.db,
  );
}

/** Ends a commitment and increments its version: a bill planned with its earlier state is planned again. */
export async function markEnded(
  ctx: Ctx,
  commitmentId: string,
  end: {
    readonly lastMonth: BillingMonth;
    readonly settlement: Settlement;
    readonly reason: string;
    readonly by: Person;
  },
): Promise<void> {
  await sql`update commitment set last_month = ${end.lastMonth}, settlement = ${end.settlement}, ended_at = ${ctx.now}, ended_by = ${end.by.id}, ender_name = ${end.by.name}, end_reason = ${end.reason}, version = version + 1 where id = ${commitmentId}`.execute(
    ctx.db,
  );
}

type Filter = Omit<In<typeof commitments.adminListCommitments>, 'sort' | 'limit' | 'cursor'>;
const whereOf = (now: Date, filter: Filter): RawBuilder<unknown> => {
  const pattern = filter.q ? containsPattern(filter.q) : undefined;
  return allOf(
    filter.organizationId && sql`c.organization_id = ${filter.organizationId}`,
    filter.currency && sql`c.currency = ${sql.lit(filter.currency)}`,
    filter.state && sql`${stateAt(now)} = ${sql.lit(filter.state)}`,
    filter.risk && sql`x.risk = ${sql.lit(filter.risk)} and ${stateAt(now)} = 'active'`,
    pattern &&
      sql`(c.name_zh_tw ilike ${pattern} or c.name_en_us ilike ${pattern} or c.note ilike ${pattern} or o.name ilike ${pattern})`,
  );
};
const order: ListOrder = {
  by: {
    createdAt: { expression: sql`c.created_at`, cast: 'timestamptz' },
    organization: { expression: sql`o.name`, cast: 'text' },
    startsOn: { expression: sql`c.starts_on::text`, cast: 'text' },
    lastMonth: { expression: sql`c.last_month::text`, cast: 'text' },
    trueUp: { expression: sql`coalesce(x.true_up_minor, 0)`, cast: 'bigint' },
  },
  usual: '-createdAt',
  id: sql`c.id`,
};

/** Returns one page of the commitments of all organizations with the total. */
export function pageOfCommitments(
  ctx: Ctx,
  input: In<typeof commitments.adminListCommitments>,
): Promise<Page<CommitmentRow>> {
  const { sort, limit, cursor, ...filter } = input;
  const list = {
    columns: columnsAt(ctx.now),
    from: tables,
    where: whereOf(ctx.now, filter),
    order,
    cap: filter.q ? searchTotalCap : undefined,
  };
  return readPage(ctx.db, { sort, limit, cursor }, list, toCommitment);
}

/** Returns all commitments that match a filter, for an export. */
export const allCommitments = (
  now: Date,
  filter: Filter,
  sort: string | undefined,
): RawBuilder<StoredCommitment> =>
  sql<StoredCommitment>`select ${columnsAt(now)} from ${tables} where ${whereOf(now, filter)} order by ${orderOf(order, sort)}`;

export const countCommitments = (ctx: Ctx, filter: Filter): Promise<number> =>
  readTotal(ctx.db, { from: tables, where: whereOf(ctx.now, filter) });
