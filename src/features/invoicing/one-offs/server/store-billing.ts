// SQL of one-off charges for bills: those due, locked while a bill is planned, and their outcome.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { lastDayOf } from '#kernel/time.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { OneOffInForce } from '../rules.ts';

type DueRow = Omit<OneOffInForce, 'amount'> & {
  organizationId: Id<'org'>;
  currency: Currency;
  amountMinor: bigint;
};
const columns = sql<DueRow>`id, version, organization_id as "organizationId", name, subscription_id as "subscriptionId", trim_scale(quantity)::text as quantity, trim_scale(unit_price)::text as "unitPrice", currency, amount_minor as "amountMinor", origin, taxed_as as "taxedAs"`;
const inForce = ({
  currency,
  amountMinor,
  organizationId: _organizationId,
  ...row
}: DueRow): OneOffInForce => ({
  ...row,
  amount: money(amountMinor, currency),
});

/**
 * Returns the one-offs on organizations' bills of a month: approved, for the next bill, with a day not after
 * the month's last; by organization, ordered by day. Those on the bill `without` count as unbilled, to
 * preview its replacement.
 */
export async function oneOffsOf(
  ctx: Ctx,
  organizationIds: readonly string[],
  month: BillingMonth,
  without?: Id<'bil'>,
): Promise<ReadonlyMap<string, readonly OneOffInForce[]>> {
  if (organizationIds.length === 0) return new Map();
  const free =
    without === undefined ? sql`state = 'approved'` : sql`(state = 'approved' or bill_id = ${without})`;
  const { rows } = await sql<DueRow>`select ${columns} from one_off_charge
    where organization_id = any(${[...organizationIds]}::text[]) and ${free} and credited_reason is null and billing = 'next_bill' and charge_on <= ${lastDayOf(month)}::date
    order by charge_on, id`.execute(ctx.db);
  return new Map(
    [...Map.groupBy(rows, (row) => row.organizationId)].map(([organizationId, own]) => [
      organizationId,
      own.map(inForce),
    ]),
  );
}

/**
 * Returns an approved one-off with a separate bill; undefined if it is not or no longer one. One on the bill
 * `without` counts as unbilled, to preview its replacement.
 */
export async function ownBillOneOff(
  ctx: Ctx,
  id: string,
  without?: Id<'bil'>,
): Promise<(OneOffInForce & { readonly organizationId: Id<'org'> }) | undefined> {
  const { rows } =
    await sql<DueRow>`select ${columns} from one_off_charge where id = ${id} and (state = 'approved' or bill_id = ${without ?? null}::text) and credited_reason is null and billing = 'own_bill'`.execute(
      ctx.db,
    );
  return rows[0] && { ...inForce(rows[0]), organizationId: rows[0].organizationId };
}

/**
 * Locks what a bill was planned with until the transaction ends, in the order of ids, so that concurrent
 * bills cannot deadlock. Returns false, changing nothing, if one of them has changed since it was read
 * because it was withdrawn or another bill has it; the caller then plans again.
 */
export async function holdOneOffs(
  ctx: Ctx,
  read: readonly { readonly id: Id<'ooc'>; readonly version: bigint }[],
): Promise<boolean> {
  if (read.length === 0) return true;
  const ids = read.map((each) => each.id);
  const { rows } = await sql<{
    id: Id<'ooc'>;
    version: bigint;
  }>`select id, version from one_off_charge where id = any(${ids}::text[]) and state = 'approved' order by id for update`.execute(
    ctx.db,
  );
  const now = new Map(rows.map((row) => [row.id, row.version]));
  if (!read.every((each) => now.get(each.id) === each.version)) return false;
  // Other transactions that read them before must not bill them, too.
  await sql`update one_off_charge set version = version + 1 where id = any(${ids}::text[])`.execute(ctx.db);
  return true;
}

export type BilledOneOff = {
  readonly id: Id<'ooc'>;
  readonly billId: Id<'bil'>;
  readonly billNumber: string;
};

/**
 * Records which bill has which one-off; the caller holds their locks. @throws Error when one is not approved.
 */
export async function markBilled(
  ctx: Ctx,
  billed: readonly BilledOneOff[],
  by: string | null,
): Promise<void> {
  const { rows } = await sql`with billed as (
      update one_off_charge c set state = 'billed', bill_id = n.bill_id, bill_number = n.bill_number, version = c.version + 1
      from unnest(${billed.map((each) => each.id)}::text[], ${billed.map((each) => each.billId)}::text[], ${billed.map((each) => each.billNumber)}::text[]) as n (id, bill_id, bill_number)
      where c.id = n.id and c.state = 'approved' returning c.id, c.version, c.bill_number)
    insert into one_off_step (one_off_id, version, step, at, by, reason, bill_number) select id, version, 'billed', ${ctx.now}, ${by}, '', bill_number from billed returning 1`.execute(
    ctx.db,
  );
  if (rows.length !== billed.length)
    throw new Error(`${billed.length - rows.length} of ${billed.length} one-offs to bill were not approved`);
}

/**
 * Releases the one-offs of a void bill; returns whether it had any. A late fee that was credited before is
 * withdrawn, because it is no longer owed.
 */
export async function unmarkBilled(ctx: Ctx, billId: string, by: string | null): Promise<boolean> {
  const { rows } =
    await sql`with before as (select id, bill_number from one_off_charge where bill_id = ${billId} order by id for update),
      released as (update one_off_charge c set state = case when c.credited_reason is null then 'approved' else 'withdrawn' end, bill_id = null, bill_number = null, version = c.version + 1 from before where c.id = before.id returning c.id, c.version, c.credited_reason, before.bill_number)
    insert into one_off_step (one_off_id, version, step, at, by, reason, bill_number) select id, version, case when credited_reason is null then 'released' else 'withdrawn' end, ${ctx.now}, ${by}, coalesce(credited_reason, ''), bill_number from released returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Records that a credit note reversed a billed one-off; it is not billed again. */
export async function markCredited(ctx: Ctx, id: Id<'ooc'>, reason: string): Promise<void> {
  await sql`update one_off_charge set credited_reason = ${reason}, version = version + 1 where id = ${id}`.execute(
    ctx.db,
  );
}
