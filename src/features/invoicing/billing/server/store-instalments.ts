// SQL of bills due in installments.
import { sql, type RawBuilder } from 'kysely';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Bill } from '../contract.ts';

// Everything here refers to `bill b` and its `organization o`.
const rest = sql`greatest(0, least(i.until_minor, b.total_minor - b.credited_minor) - greatest(i.from_minor, b.paid_minor))`;
const todayAt = (now: Date): RawBuilder<unknown> => sql`(${now}::timestamptz at time zone o.time_zone)::date`;

/** Whether a bill is due in installments. */
export const isInParts = sql<boolean>`exists (select from bill_instalment i where i.bill_id = b.id)`;

/**
 * The amount due by today of an open bill: all of it, or the installments whose day has come. In minor units.
 */
export const dueByNow = (now: Date): RawBuilder<bigint> =>
  sql<bigint>`case when ${isInParts} then (select coalesce(sum(${rest}), 0)::bigint from bill_instalment i where i.bill_id = b.id and i.due_on <= ${todayAt(now)}) else b.total_minor - b.paid_minor - b.credited_minor end`;

/**
 * The first installment that is not fully paid, as `position` and `due_on`; no row for a bill due as a whole.
 */
export const nextPart = sql`(select i.position, i.due_on from bill_instalment i where i.bill_id = b.id and ${rest} > 0 order by i.position limit 1)`;

/**
 * The next installment of an open bill as JSON: see {@link toInstalment}. Missed installments are requested
 * together.
 */
export const instalmentColumn = (now: Date): RawBuilder<StoredInstalment | null> =>
  sql<StoredInstalment | null>`case when b.state = 'open' then (select jsonb_build_object('minor', (sum(n.rest) filter (where n.due_on <= greatest(n.first_on, n.today)))::text, 'on', min(n.due_on)::text, 'number', min(n.position), 'of', min(n.parts), 'isMissed', bool_or(n.due_on < n.today))
    from (select i.position, i.due_on, count(*) over () as parts, ${rest} as rest, ${todayAt(now)} as today, min(i.due_on) filter (where ${rest} > 0) over () as first_on from bill_instalment i where i.bill_id = b.id) n where n.rest > 0 having count(*) > 0) end`;
export type StoredInstalment = {
  readonly minor: string;
  readonly on: LocalDay;
  readonly number: number;
  readonly of: number;
  readonly isMissed: boolean;
};
export const toInstalment = (
  { minor, ...part }: StoredInstalment,
  currency: Currency,
): NonNullable<Bill['instalment']> => ({ ...part, amount: money(BigInt(minor), currency) });

/** An installment of a bill, with its unpaid amount. */
export type Part = {
  readonly position: number;
  readonly on: LocalDay;
  readonly rest: Money;
};

/**
 * Makes bills due in installments. `parts` are ascending and add up to the amount due; the caller holds the
 * bills' locks.
 */
export async function storeParts(
  ctx: Ctx,
  bills: readonly {
    readonly billId: string;
    readonly paidMinor: bigint;
    readonly parts: readonly { readonly position: number; readonly on: LocalDay; readonly minor: bigint }[];
  }[],
): Promise<void> {
  const rows = bills.flatMap(({ billId, paidMinor, parts }) => {
    let until = paidMinor;
    return parts.map(({ position, on, minor }, index) => {
      // The first installment has no lower bound: reversed payments, for example by a dispute, are due with
      // it.
      const from = index === 0 ? 0n : until;
      until += minor;
      return { billId, position, on, from, until };
    });
  });
  const of = <T>(pick: (row: (typeof rows)[number]) => T): T[] => rows.map(pick);
  await dropParts(
    ctx,
    bills.map(({ billId }) => billId),
  );
  await sql`insert into bill_instalment (bill_id, position, due_on, from_minor, until_minor)
    select * from unnest(${of((row) => row.billId)}::text[], ${of((row) => row.position)}::int[], ${of((row) => row.on)}::date[], ${of((row) => row.from)}::bigint[], ${of((row) => row.until)}::bigint[])`.execute(
    ctx.db,
  );
}

/** Makes bills due as a whole again. */
export async function dropParts(ctx: Ctx, billIds: readonly string[]): Promise<void> {
  await sql`delete from bill_instalment where bill_id = any(${[...billIds]}::text[])`.execute(ctx.db);
}

/** Returns the installments of some bills, in order. */
export async function partsOf(
  ctx: Ctx,
  billIds: readonly string[],
): Promise<(Part & { readonly billId: string })[]> {
  const { rows } = await sql<{
    billId: string;
    position: number;
    on: LocalDay;
    minor: bigint;
    currency: Currency;
  }>`select i.bill_id as "billId", i.position, i.due_on::text as "on", ${rest}::bigint as minor, b.currency from bill_instalment i join bill b on b.id = i.bill_id where i.bill_id = any(${[...billIds]}::text[]) order by i.bill_id, i.position`.execute(
    ctx.db,
  );
  return rows.map(({ minor, currency, ...row }) => ({ ...row, rest: money(minor, currency) }));
}

/**
 * Returns what is due only on a later day of an organization's open bills, by currency: the installments
 * after each bill's next one.
 */
export async function laterOf(ctx: Ctx, organizationId: string): Promise<Map<Currency, bigint>> {
  const { rows } = await sql<{
    currency: Currency;
    minor: bigint;
  }>`select b.currency, sum(b.total_minor - b.paid_minor - b.credited_minor - (n.part->>'minor')::bigint)::bigint as minor
    from bill b join organization o on o.id = b.organization_id cross join lateral (select ${instalmentColumn(ctx.now)} as part) n
    where b.organization_id = ${organizationId} and b.state = 'open' and n.part is not null group by b.currency`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ currency, minor }) => [currency, minor]));
}
