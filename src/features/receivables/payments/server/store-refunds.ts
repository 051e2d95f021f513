// SQL of refunds.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Refund } from '../contract.ts';

export type StoredRefund = Omit<Refund, 'needsHand'> & {
  readonly paymentId: Id<'pay'>;
  readonly organizationId: Id<'org'>;
  readonly isUnsure: boolean;
};
type RefundRow = {
  id: Id<'rfd'>;
  payment_id: Id<'pay'>;
  organization_id: Id<'org'>;
  state: Refund['state'];
  amount_minor: bigint;
  currency: Currency;
  reason: string;
  origin: Refund['origin'];
  provider_reference: string | null;
  failure: string;
  is_unsure: boolean;
  created_at: Date;
  settled_at: Date | null;
};
const columns = sql`id, payment_id, organization_id, state, amount_minor, currency, reason, origin, provider_reference, failure, is_unsure, created_at, settled_at`;
const toRefund = (row: RefundRow): StoredRefund => ({
  id: row.id,
  paymentId: row.payment_id,
  organizationId: row.organization_id,
  state: row.state,
  amount: money(row.amount_minor, row.currency),
  reason: row.reason,
  origin: row.origin,
  reference: row.provider_reference,
  failure: row.failure,
  isUnsure: row.is_unsure,
  createdAt: row.created_at,
  settledAt: row.settled_at,
});

/**
 * Returns a refund of a payment. The caller must hold the payment's lock, which serializes changes of its
 * refunds.
 */
export async function refundById(ctx: Ctx, refundId: string): Promise<StoredRefund | undefined> {
  const { rows } = await sql<RefundRow>`select ${columns} from payment_refund where id = ${refundId}`.execute(
    ctx.db,
  );
  return rows[0] && toRefund(rows[0]);
}

/** Returns the refund with a provider's reference. */
export async function refundOfReference(
  ctx: Ctx,
  paymentId: string,
  reference: string,
): Promise<StoredRefund | undefined> {
  const { rows } =
    await sql<RefundRow>`select ${columns} from payment_refund where payment_id = ${paymentId} and provider_reference = ${reference}`.execute(
      ctx.db,
    );
  return rows[0] && toRefund(rows[0]);
}

/** Returns the refunds of a payment, oldest first. */
export async function refundsOf(ctx: Ctx, paymentId: string): Promise<StoredRefund[]> {
  const { rows } =
    await sql<RefundRow>`select ${columns} from payment_refund where payment_id = ${paymentId} order by created_at, id`.execute(
      ctx.db,
    );
  return rows.map(toRefund);
}

/** Returns the pending refunds from a balance: requested, without an outcome. */
export async function pendingRefunds(ctx: Ctx, organizationId: string, currency: Currency): Promise<bigint> {
  const { rows } = await sql<{
    minor: string | null;
  }>`select sum(amount_minor) as minor from payment_refund where organization_id = ${organizationId} and currency = ${currency} and state = 'pending' and origin = 'admin'`.execute(
    ctx.db,
  );
  return BigInt(rows[0]?.minor ?? 0n);
}

/**
 * Returns refunds without an outcome that were not queried for a while; not at ECPay, where they cannot be
 * queried.
 */
export async function refundsToAsk(ctx: Ctx, limit: number): Promise<StoredRefund[]> {
  const { rows } =
    await sql<RefundRow>`select ${columns} from payment_refund where state = 'pending' and not (is_unsure and exists (select from payment p where p.id = payment_id and p.method = 'ecpay')) and coalesce(asked_at, created_at) <= ${new Date(ctx.now.getTime() - 2 * 60_000)} order by coalesce(asked_at, created_at) limit ${limit}`.execute(
      ctx.db,
    );
  return rows.map(toRefund);
}

/** Adds a refund that waits for its provider. */
export async function insertRefund(
  ctx: Ctx,
  refund: {
    paymentId: string;
    organizationId: string;
    amount: Money;
    reason: string;
    origin: Refund['origin'];
    reference: string | null;
    createdBy: string;
  },
): Promise<Id<'rfd'>> {
  const refundId = ctx.newId('rfd');
  await sql`insert into payment_refund (id, payment_id, organization_id, state, amount_minor, currency, reason, origin, provider_reference, created_at, created_by)
    values (${refundId}, ${refund.paymentId}, ${refund.organizationId}, 'pending', ${refund.amount.minor}, ${refund.amount.currency}, ${refund.reason}, ${refund.origin}, ${refund.reference}, ${ctx.now}, ${refund.createdBy})`.execute(
    ctx.db,
  );
  return refundId;
}

/** Stores a refund's state; the provider's reference is stored once. */
export async function updateRefund(
  ctx: Ctx,
  refundId: string,
  state: Refund['state'],
  reference: string | null,
  failure: string,
): Promise<void> {
  await sql`update payment_refund set state = ${state}, provider_reference = coalesce(provider_reference, ${reference}), failure = ${failure}, is_unsure = is_unsure and ${state} = 'pending',
    settled_at = case when ${state} = 'pending' then null else ${ctx.now}::timestamptz end where id = ${refundId}`.execute(
    ctx.db,
  );
}

/** Stores that a provider was queried about a refund without a clear response. */
export async function recordUnsure(ctx: Ctx, refundId: string): Promise<boolean> {
  const { rows } = await sql<{
    first: boolean;
  }>`update payment_refund r set is_unsure = true, asked_at = ${ctx.now} from payment_refund before where r.id = ${refundId} and before.id = r.id and r.state = 'pending' returning not before.is_unsure as first`.execute(
    ctx.db,
  );
  return rows[0]?.first ?? false;
}

/** Recomputes the refunded amount of a payment, and whether it is fully refunded. */
export async function recountRefunded(ctx: Ctx, paymentId: string): Promise<void> {
  await sql`update payment p set refunded_minor = paid_back.minor, state = case when paid_back.minor >= p.received_minor then 'refunded' else 'succeeded' end
    from (select coalesce(sum(amount_minor), 0)::bigint as minor from payment_refund where payment_id = ${paymentId} and state = 'succeeded') as paid_back where p.id = ${paymentId} and p.received_minor is not null`.execute(
    ctx.db,
  );
}
