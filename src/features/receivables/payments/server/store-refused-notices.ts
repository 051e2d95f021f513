// SQL of refused notices: a provider's signed events that could not be booked.
import { sql } from 'kysely';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { readPage, rowItself, type ListOrder } from '#platform/server/database/paging.ts';
import type { PaymentStep, payments, RefusedNotice } from '../contract.ts';

export type NewRefusedNotice = Pick<
  RefusedNotice,
  'provider' | 'eventId' | 'code' | 'about' | 'amount' | 'paymentId'
>;

/** Stores a refused event; a repeat increments its count. */
export async function insertRefusedNotice(
  ctx: Ctx,
  { provider, eventId, code, about, amount, paymentId }: NewRefusedNotice,
): Promise<void> {
  await sql`insert into payment_refusal (provider, event_id, code, about, amount_minor, currency, payment_id, first_at, last_at)
    values (${provider}, ${eventId}, ${code}, ${about}, ${amount?.minor ?? null}, ${amount?.currency ?? null}, ${paymentId}, ${ctx.now}, ${ctx.now})
    on conflict (provider, event_id) do update set code = excluded.code, payment_id = excluded.payment_id, times = payment_refusal.times + 1, last_at = excluded.last_at`.execute(
    ctx.db,
  );
}

type Row = Omit<RefusedNotice, 'amount' | 'reason'> & { minor: bigint | null; currency: Currency | null };
const amountOf = (minor: bigint | null, currency: Currency | null): Money | null =>
  minor === null || currency === null ? null : money(minor, currency);
// An event that was applied on a later delivery is no longer open.
const applied = sql`exists (select from provider_event e where e.provider = r.provider and e.event_id = r.event_id and e.received_at > r.last_at)`;
const open = sql`(r.settled_at is null and not ${applied})`;
const columns = sql<Row>`r.provider, r.event_id as "eventId", r.code, r.about, r.amount_minor as minor, r.currency, r.payment_id as "paymentId", o.name as organization, r.times, r.first_at as "firstAt", r.last_at as "lastAt", ${applied} as "isApplied",
  r.settled_at as "settledAt", u.name as "settledBy", r.settle_note as "settleNote"`;
const tables = sql`payment_refusal r left join payment p on p.id = r.payment_id left join organization o on o.id = p.organization_id left join app_user u on u.id = r.settled_by`;
const toNotice = (ctx: Ctx, { minor, currency, ...row }: Row): RefusedNotice => ({
  ...row,
  amount: amountOf(minor, currency),
  reason: ctx.text(row.code),
});

const order: ListOrder = {
  by: { lastAt: { expression: sql`r.last_at`, cast: 'timestamptz' } },
  usual: '-lastAt',
  id: sql`r.provider || ' ' || r.event_id`,
};

/** One page of refused events with the exact total. */
export function pageOfRefusedNotices(
  ctx: Ctx,
  { standing, ...input }: In<typeof payments.adminListRefused>,
): Promise<Page<RefusedNotice>> {
  const list = {
    columns: sql<Row & { id: string }>`${order.id} as id, ${columns}`,
    from: tables,
    where: standing === undefined ? sql`true` : standing === 'open' ? open : sql`not ${open}`,
    order,
  };
  return readPage(ctx.db, input, list, (row) => {
    const { id: _id, ...notice } = rowItself(row);
    return toNotice(ctx, notice);
  });
}

/** One refused event. */
export async function refusedNoticeById(
  ctx: Ctx,
  provider: RefusedNotice['provider'],
  eventId: string,
): Promise<RefusedNotice | undefined> {
  const { rows } =
    await sql<Row>`select ${columns} from ${tables} where r.provider = ${provider} and r.event_id = ${eventId}`.execute(
      ctx.db,
    );
  return rows[0] && toNotice(ctx, rows[0]);
}

/** Marks a refused event as handled; false if it was handled before, or does not exist. */
export async function settleRefusedNotice(
  ctx: Ctx,
  {
    provider,
    eventId,
    note,
    settledBy,
  }: { provider: RefusedNotice['provider']; eventId: string; note: string; settledBy: string },
): Promise<boolean> {
  const { rows } =
    await sql`update payment_refusal set settled_at = ${ctx.now}, settled_by = ${settledBy}, settle_note = ${note} where provider = ${provider} and event_id = ${eventId} and settled_at is null returning event_id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Counts the refused events that wait for an Admin. */
export async function countOpenRefusedNotices(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{
    total: number;
  }>`select count(*)::int as total from payment_refusal r where ${open}`.execute(ctx.db);
  return rows[0]?.total ?? 0;
}

/** Returns the refused events of a payment, as steps in its history. */
export async function refusedSteps(ctx: Ctx, paymentId: Id<'pay'>): Promise<PaymentStep[]> {
  const { rows } = await sql<{
    at: Date;
    about: RefusedNotice['about'];
    minor: bigint | null;
    currency: Currency | null;
    eventId: string;
  }>`select last_at as at, about, amount_minor as minor, currency, event_id as "eventId" from payment_refusal where payment_id = ${paymentId}`.execute(
    ctx.db,
  );
  return rows.map((row) => ({
    at: row.at,
    kind: 'refused',
    outcome: row.about ?? '',
    amount: amountOf(row.minor, row.currency),
    reference: row.eventId,
  }));
}
