// SQL of disputes.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { DisputeNotice } from '#features/receivables/gateways/server/index.ts';
import type { Dispute } from '../contract.ts';
import type { DisputeShares } from '../rules.ts';

type DisputeRow = {
  id: Id<'dsp'>;
  state: Dispute['state'];
  amount_minor: bigint;
  currency: Currency;
  reason: string;
  evidence_due_at: Date | null;
  provider_reference: string;
  created_at: Date;
  closed_at: Date | null;
  withdrawn: bigint;
  to_bill: bigint;
  fee: bigint;
};

/** Returns the disputes of a payment, oldest first. */
export async function disputesOf(ctx: Ctx, paymentId: string): Promise<Dispute[]> {
  const { rows } =
    await sql<DisputeRow>`select d.id, d.state, d.amount_minor, d.currency, d.reason, d.evidence_due_at, d.provider_reference, d.created_at, d.closed_at,
      coalesce(sum(m.minor), 0)::bigint as withdrawn, coalesce(sum(m.to_bill_minor), 0)::bigint as to_bill, coalesce(sum(m.fee_minor), 0)::bigint as fee
    from payment_dispute d left join payment_dispute_move m on m.dispute_id = d.id where d.payment_id = ${paymentId} group by d.id order by d.created_at, d.id`.execute(
      ctx.db,
    );
  return rows.map((row) => ({
    id: row.id,
    state: row.state,
    amount: money(row.amount_minor, row.currency),
    reason: row.reason,
    evidenceDueAt: row.evidence_due_at,
    withdrawn: money(row.withdrawn, row.currency),
    toBill: money(row.to_bill, row.currency),
    fee: money(row.fee, row.currency),
    reference: row.provider_reference,
    createdAt: row.created_at,
    closedAt: row.closed_at,
  }));
}

/** Returns the amount currently withdrawn from a payment, in its currency's minor units. */
export async function withdrawnOf(ctx: Ctx, paymentId: string): Promise<{ all: bigint; toBill: bigint }> {
  const { rows } = await sql<{
    all: bigint;
    toBill: bigint;
  }>`select coalesce(sum(m.minor), 0)::bigint as all, coalesce(sum(m.to_bill_minor), 0)::bigint as "toBill" from payment_dispute d join payment_dispute_move m on m.dispute_id = d.id where d.payment_id = ${paymentId}`.execute(
    ctx.db,
  );
  return rows[0] ?? { all: 0n, toBill: 0n };
}

export type StoredDispute = { readonly id: Id<'dsp'>; readonly isNew: boolean; readonly closedNow: boolean };
const closing = sql`('won', 'lost', 'closed')`;

/**
 * Stores a provider's notice about a dispute, unless a newer one is stored. The caller must hold the
 * payment's lock.
 */
export async function storeDispute(
  ctx: Ctx,
  payment: { readonly id: string; readonly organizationId: string },
  notice: DisputeNotice,
): Promise<StoredDispute> {
  const { rows: before } = await sql<{
    id: Id<'dsp'>;
    is_closed: boolean;
  }>`select id, closed_at is not null as is_closed from payment_dispute where payment_id = ${payment.id} and provider_reference = ${notice.reference}`.execute(
    ctx.db,
  );
  const closedAt = sql`case when ${notice.outcome} in ${closing} then ${notice.sentAt}::timestamptz end`;
  const id = before[0]?.id ?? ctx.newId('dsp');
  if (before[0]) {
    // Of two notices within the same second, the one that closes the dispute is newer.
    await sql`update payment_dispute set state = ${notice.outcome}, reason = ${notice.reason}, evidence_due_at = ${notice.dueBy}, said_at = ${notice.sentAt}, closed_at = ${closedAt}
      where id = ${id} and (said_at < ${notice.sentAt}::timestamptz or (said_at = ${notice.sentAt}::timestamptz and (closed_at is null or ${notice.outcome} in ${closing})))`.execute(
      ctx.db,
    );
  } else {
    await sql`insert into payment_dispute (id, payment_id, organization_id, state, amount_minor, currency, reason, evidence_due_at, provider_reference, said_at, created_at, closed_at)
      values (${id}, ${payment.id}, ${payment.organizationId}, ${notice.outcome}, ${notice.amount.minor}, ${notice.amount.currency}, ${notice.reason}, ${notice.dueBy}, ${notice.reference}, ${notice.sentAt}, ${ctx.now}, ${closedAt})`.execute(
      ctx.db,
    );
  }
  const { rows } = await sql<{
    is_closed: boolean;
  }>`select closed_at is not null as is_closed from payment_dispute where id = ${id}`.execute(ctx.db);
  return { id, isNew: !before[0], closedNow: rows[0]?.is_closed === true && before[0]?.is_closed !== true };
}

/** Returns the provider's references of movements already booked. */
export async function bookedMoves(ctx: Ctx, disputeId: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    provider_reference: string;
  }>`select provider_reference from payment_dispute_move where dispute_id = ${disputeId}`.execute(ctx.db);
  return new Set(rows.map((row) => row.provider_reference));
}

/** Returns the sums of a dispute's movements: the parts taken from the bill and borne by the customer. */
export async function sharesOf(ctx: Ctx, disputeId: string): Promise<{ toBill: bigint; claim: bigint }> {
  const { rows } = await sql<{
    toBill: bigint;
    claim: bigint;
  }>`select coalesce(sum(to_bill_minor), 0)::bigint as "toBill", coalesce(sum(minor - to_bill_minor - to_balance_minor), 0)::bigint as claim from payment_dispute_move where dispute_id = ${disputeId}`.execute(
    ctx.db,
  );
  return rows[0] ?? { toBill: 0n, claim: 0n };
}

/** Stores a movement; the ledger refers to its id. */
export async function insertMove(
  ctx: Ctx,
  disputeId: string,
  reference: string,
  moved: Money,
  shares: DisputeShares,
  fee: Money,
): Promise<Id<'dsm'>> {
  const id = ctx.newId('dsm');
  await sql`insert into payment_dispute_move (id, dispute_id, provider_reference, minor, to_bill_minor, to_balance_minor, fee_minor, at)
    values (${id}, ${disputeId}, ${reference}, ${moved.minor}, ${shares.toBill}, ${shares.toBalance}, ${fee.minor}, ${ctx.now})`.execute(
    ctx.db,
  );
  return id;
}
