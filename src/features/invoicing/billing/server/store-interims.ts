// SQL of interim bills: those in force, and the amounts at which they are issued.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { userOf, type Bill } from '../contract.ts';
import type { InterimBill } from '../rules.ts';
import { amountsIn } from './store-amounts.ts';
import { usedBy } from './store-used-by.ts';

/** Returns the interim bills of a month in force, by organization, in order of issue. */
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

/**
 * Returns the interim bills of a month in force, optionally of one currency, locked: no transaction can void
 * them until this one ends.
 */
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

/** Returns the number of the bill that deducts an interim bill; undefined if there is none yet. */
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

/** The amounts at which interim bills are issued, for all organizations or for one. */
export const thresholds = amountsIn<'itt'>('interim_threshold');
