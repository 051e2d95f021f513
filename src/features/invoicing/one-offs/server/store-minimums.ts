// SQL of the minimum monthly spend.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth, Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowItself,
  searchTotalCap,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import type { OwnMinimumSpend } from '../contract-minimums.ts';
import type { MinimumSpendInForce } from '../rules-minimums.ts';

export type MinimumRow = {
  id: Id<'msp'>;
  organizationId: Id<'org'>;
  organization: string;
  timeZone: string;
  currency: Currency;
  amountMinor: bigint;
  fromMonth: BillingMonth;
  toMonth: BillingMonth | null;
  createdAt: Date;
  createdBy: string;
  endedAt: Date | null;
  endedBy: string | null;
};

const personName = (column: 'm.created_by' | 'm.ended_by') =>
  sql`coalesce((select u.name from app_user u where u.id = ${sql.ref(column)}), '')`;
const months = sql`to_char(m.from_on, 'YYYY-MM') as "fromMonth", to_char(m.until_on - 1, 'YYYY-MM') as "toMonth"`;
const columns = sql<MinimumRow>`m.id, m.organization_id as "organizationId", o.name as organization, o.time_zone as "timeZone", m.currency, m.amount_minor as "amountMinor", ${months},
  m.created_at as "createdAt", ${personName('m.created_by')} as "createdBy", m.ended_at as "endedAt", case when m.ended_by is not null then ${personName('m.ended_by')} end as "endedBy"`;
const tables = sql`minimum_spend m join organization o on o.id = m.organization_id`;

const order: ListOrder = {
  by: {
    createdAt: { expression: sql`m.created_at`, cast: 'timestamptz' },
    fromMonth: { expression: sql`m.from_on`, cast: 'date' },
    organization: { expression: sql`o.name`, cast: 'text' },
    amount: { expression: sql`m.amount_minor`, cast: 'bigint' },
  },
  usual: '-createdAt',
  id: sql`m.id`,
};

/** One page of minimum spends with the exact total. */
export function pageOfMinimums(
  ctx: Ctx,
  input: {
    q?: string | undefined;
    organizationId?: string | undefined;
    currency?: Currency | undefined;
    sort?: string | undefined;
    limit?: number | undefined;
    cursor?: string | undefined;
  },
): Promise<Page<MinimumRow>> {
  const { q, organizationId, currency } = input;
  const list = {
    columns,
    from: tables,
    where: allOf(
      organizationId && sql`m.organization_id = ${organizationId}`,
      currency && sql`m.currency = ${sql.lit(currency)}`,
      q && sql`o.name ilike ${containsPattern(q)}`,
    ),
    order,
    cap: searchTotalCap,
  };
  return readPage(ctx.db, input, list, rowItself);
}

/** Returns one of them; with `lock`, no other transaction can change it until this one ends. */
export async function minimumById(ctx: Ctx, id: string, lock = false): Promise<MinimumRow | undefined> {
  const { rows } =
    await sql<MinimumRow>`select ${columns} from ${tables} where m.id = ${id} ${lock ? sql`for update of m` : sql``}`.execute(
      ctx.db,
    );
  return rows[0];
}

/** Returns the months of an organization's minimums in one currency, earliest first. */
export async function monthsOfMinimums(
  ctx: Ctx,
  organizationId: string,
  currency: Currency,
): Promise<Pick<MinimumRow, 'fromMonth' | 'toMonth'>[]> {
  const { rows } = await sql<
    Pick<MinimumRow, 'fromMonth' | 'toMonth'>
  >`select ${months} from minimum_spend m where m.organization_id = ${organizationId} and m.currency = ${currency} order by m.from_on`.execute(
    ctx.db,
  );
  return rows;
}

const firstOf = (month: BillingMonth): string => `${month}-01`;

export async function insertMinimum(
  ctx: Ctx,
  made: {
    readonly id: Id<'msp'>;
    readonly organizationId: Id<'org'>;
    readonly amount: Money;
    readonly fromMonth: BillingMonth;
    readonly toMonth: BillingMonth | null;
    readonly createdBy: Id<'usr'>;
  },
): Promise<void> {
  const until =
    made.toMonth === null ? sql`null` : sql`(${firstOf(made.toMonth)}::date + interval '1 month')::date`;
  await sql`insert into minimum_spend (id, organization_id, currency, amount_minor, from_on, until_on, created_by, created_at)
    values (${made.id}, ${made.organizationId}, ${made.amount.currency}, ${made.amount.minor}, ${firstOf(made.fromMonth)}::date, ${until}, ${made.createdBy}, ${ctx.now})`.execute(
    ctx.db,
  );
}

/** Sets the last month of a locked minimum. */
export async function endMinimumRow(
  ctx: Ctx,
  id: string,
  lastMonth: BillingMonth,
  by: Id<'usr'>,
): Promise<void> {
  await sql`update minimum_spend set until_on = (${firstOf(lastMonth)}::date + interval '1 month')::date, ended_by = ${by}, ended_at = ${ctx.now} where id = ${id}`.execute(
    ctx.db,
  );
}

/**
 * Returns the minimum amounts of organizations' bills of a month before tax, by organization, one per
 * currency.
 */
export async function minimumSpendsOf(
  ctx: Ctx,
  organizationIds: readonly string[],
  month: BillingMonth,
): Promise<ReadonlyMap<string, readonly MinimumSpendInForce[]>> {
  if (organizationIds.length === 0) return new Map();
  const { rows } = await sql<{
    id: Id<'msp'>;
    organizationId: Id<'org'>;
    currency: Currency;
    amountMinor: bigint;
  }>`select id, organization_id as "organizationId", currency, amount_minor as "amountMinor" from minimum_spend
    where organization_id = any(${[...organizationIds]}::text[]) and from_on <= ${firstOf(month)}::date and (until_on is null or until_on > ${firstOf(month)}::date)
    order by currency`.execute(ctx.db);
  return new Map(
    [...Map.groupBy(rows, (row) => row.organizationId)].map(([organizationId, own]) => [
      organizationId,
      own.map(({ id, amountMinor, currency }) => ({ id, amount: money(amountMinor, currency) })),
    ]),
  );
}

/** Returns an organization's minimums of a month with their months, by currency. */
export async function minimumsIn(
  ctx: Ctx,
  organizationId: string,
  month: BillingMonth,
): Promise<OwnMinimumSpend[]> {
  const { rows } = await sql<
    Pick<MinimumRow, 'currency' | 'amountMinor' | 'fromMonth' | 'toMonth'>
  >`select m.currency, m.amount_minor as "amountMinor", ${months} from minimum_spend m
    where m.organization_id = ${organizationId} and m.from_on <= ${firstOf(month)}::date and (m.until_on is null or m.until_on > ${firstOf(month)}::date) order by m.currency`.execute(
    ctx.db,
  );
  return rows.map(({ currency, amountMinor, ...row }) => ({ amount: money(amountMinor, currency), ...row }));
}
