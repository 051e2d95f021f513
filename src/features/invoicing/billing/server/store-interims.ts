// SQL of interim bills: those that stand, and from which amounts they are issued.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { In } from '#kernel/contract.ts';
import type { BillingMonth, Page } from '#kernel/shape.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowItself,
  searchTotalCap,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { userOf, type Bill, type billing } from '../contract.ts';
import type { InterimThreshold } from '../contract-interim.ts';
import type { InterimBill } from '../rules.ts';
import { usedBy } from './store-used-by.ts';

/** The interim bills of a month that stand, by organization, in the order in which they were issued. */
export async function interimsOf(
  ctx: Ctx,
  organizationIds: readonly string[],
  month: BillingMonth,
): Promise<ReadonlyMap<string, readonly InterimBill[]>> {
  if (organizationIds.length === 0) return new Map();
  const { rows } = await sql<{
    id: Id<'bil'>;
    organizationId: string;
    number: string;
    currency: Currency;
    subscriptionId: string;
    serviceId: string;
    serviceName: string;
    minor: bigint;
  }>`select b.id, ${usedBy('b')} as "organizationId", b.number, b.currency, l.subscription_id as "subscriptionId", l.service_id as "serviceId", l.service_name as "serviceName", l.amount_minor as minor
    from bill b join bill_line l on l.bill_id = b.id where b.month = ${month} and ${usedBy('b')} = any(${[...organizationIds]}::text[]) and b.kind = 'interim' and b.state <> 'void'
    order by b.sequence, l.position`.execute(ctx.db);
  return new Map(
    [...Map.groupBy(rows, (row) => row.organizationId)].map(([organizationId, own]) => [
      organizationId,
      [...Map.groupBy(own, ({ id }) => id).values()].flatMap((lines) => {
        const [first] = lines;
        return first ? { id: first.id, number: first.number, currency: first.currency, lines } : [];
      }),
    ]),
  );
}

/** The interim bills of a month that stand, which no transaction voids until this one ends; of one currency when one is given. */
export async function lockInterims(
  ctx: Ctx,
  organizationIds: readonly string[],
  month: BillingMonth,
  currency?: Currency,
): Promise<Id<'bil'>[]> {
  const { rows } = await sql<{
    id: Id<'bil'>;
  }>`select id from bill b where month = ${month} and ${usedBy('b')} = any(${[...organizationIds]}::text[]) and kind = 'interim' and state <> 'void'
    and (${currency ?? null}::text is null or currency = ${currency ?? null}) order by id for share`.execute(
    ctx.db,
  );
  return rows.map(({ id }) => id);
}

/** The number of the bill that takes off what an interim bill charged; undefined while there is none. */
export async function deductedBy(
  ctx: Ctx,
  interim: Pick<Bill, 'id' | 'organizationId' | 'usedBy' | 'month'>,
): Promise<string | undefined> {
  const { rows } = await sql<{
    number: string;
  }>`select b.number from bill b where ${usedBy('b')} = ${userOf(interim)} and b.month = ${interim.month} and b.kind = 'month' and b.state <> 'void'
    and exists (select from bill_line l where l.bill_id = b.id and l.kind = 'interim_deduction' and l.term ->> 'id' = ${interim.id}) limit 1`.execute(
    ctx.db,
  );
  return rows[0]?.number;
}

type ThresholdRow = Omit<InterimThreshold, 'amount'> & { amountMinor: bigint | null };
const columns = sql<ThresholdRow>`t.id, t.organization_id as "organizationId", o.name as organization, t.currency, t.amount_minor as "amountMinor", coalesce(u.name, '') as "setBy", t.set_at as "setAt"`;
const tables = sql`interim_threshold t left join organization o on o.id = t.organization_id left join app_user u on u.id = t.set_by`;
const shown = ({ amountMinor, ...row }: ThresholdRow): InterimThreshold => ({
  ...row,
  amount: amountMinor === null ? null : money(amountMinor, row.currency),
});

const order: ListOrder = {
  by: {
    // What is for all organizations comes before theirs.
    organization: { expression: sql`coalesce(o.name, '')`, cast: 'text' },
    amount: { expression: sql`coalesce(t.amount_minor, 0)`, cast: 'bigint' },
    setAt: { expression: sql`t.set_at`, cast: 'timestamptz' },
  },
  usual: 'organization',
  id: sql`t.id`,
};

/** One page of the amounts with the exact total. */
export function pageOfThresholds(
  ctx: Ctx,
  input: In<typeof billing.listInterimThresholds>,
): Promise<Page<InterimThreshold>> {
  const list = {
    columns,
    from: tables,
    where: allOf(input.q && sql`coalesce(o.name, '') ilike ${containsPattern(input.q)}`),
    order,
    cap: searchTotalCap,
  };
  return readPage(ctx.db, input, list, (row) => shown(rowItself(row)));
}

/** Sets one, in the place of the one before, and answers it. */
export async function storeThreshold(
  ctx: Ctx,
  {
    id,
    organizationId,
    currency,
    amount,
    setBy,
  }: {
    readonly id: Id<'itt'>;
    readonly organizationId: Id<'org'> | null;
    readonly currency: Currency;
    readonly amount: Money | null;
    readonly setBy: Id<'usr'>;
  },
): Promise<InterimThreshold | undefined> {
  await sql`insert into interim_threshold (id, organization_id, currency, amount_minor, set_by, set_at) values (${id}, ${organizationId}, ${currency}, ${amount?.minor ?? null}, ${setBy}, ${ctx.now})
    on conflict (organization_id, currency) do update set amount_minor = excluded.amount_minor, set_by = excluded.set_by, set_at = excluded.set_at`.execute(
    ctx.db,
  );
  const { rows } =
    await sql<ThresholdRow>`select ${columns} from ${tables} where t.organization_id is not distinct from ${organizationId} and t.currency = ${currency}`.execute(
      ctx.db,
    );
  return rows[0] && shown(rows[0]);
}

/** Removes one and answers for whom it was; undefined when there is none. */
export async function deleteThreshold(
  ctx: Ctx,
  id: string,
): Promise<{ organizationId: Id<'org'> | null; currency: Currency } | undefined> {
  const { rows } = await sql<{
    organizationId: Id<'org'> | null;
    currency: Currency;
  }>`delete from interim_threshold where id = ${id} returning organization_id as "organizationId", currency`.execute(
    ctx.db,
  );
  return rows[0];
}

/** From which amounts interim bills of organizations are issued, by organization: its own ones, else those for all. Organizations without any are left out. */
export async function thresholdsOf(
  ctx: Ctx,
  organizationIds: readonly string[],
): Promise<ReadonlyMap<string, readonly { id: string; amount: Money }[]>> {
  const { rows } = await sql<{
    organizationId: string;
    id: string;
    currency: Currency;
    amountMinor: bigint;
  }>`select * from (select distinct on (o.id, t.currency) o.id as "organizationId", t.id, t.currency, t.amount_minor as "amountMinor" from unnest(${[...organizationIds]}::text[]) as o (id)
      join interim_threshold t on t.organization_id = o.id or t.organization_id is null order by o.id, t.currency, t.organization_id nulls last) as own
    where "amountMinor" is not null`.execute(ctx.db);
  return Map.groupBy(
    rows.map(({ amountMinor, currency, ...row }) => ({ ...row, amount: money(amountMinor, currency) })),
    (row) => row.organizationId,
  );
}
