// SQL of gateways: provider events, each stored only once.
import { sql } from 'kysely';
import { moneyText, parseMoney, type Currency, type Money } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { ProviderName } from '../contract.ts';
import type {
  CardNotice,
  DisputeMove,
  DisputeNotice,
  Notice,
  PaymentNotice,
  RefundNotice,
} from './provider.ts';

/** A stored event of a provider. */
export type StoredProviderEvent = {
  readonly provider: ProviderName;
  readonly eventId: string;
  readonly notice: Notice;
  readonly receivedAt: Date;
};

type WireAmount = { amount: string; currency: Currency };
type WireMove = Omit<DisputeMove, 'amount' | 'fee'> & { amount: WireAmount; fee: WireAmount };
type Wire =
  | (Omit<PaymentNotice, 'amount'> & { amount: WireAmount | null })
  | (Omit<RefundNotice, 'amount'> & { amount: WireAmount })
  | (Omit<DisputeNotice, 'amount' | 'moves'> & { amount: WireAmount; moves: WireMove[] });
const writeAmount = (amount: Money): WireAmount => ({ amount: moneyText(amount), currency: amount.currency });
const toWire = (notice: Notice): object => ({
  ...notice,
  amount: notice.amount && writeAmount(notice.amount),
  ...(notice.about === 'dispute' && {
    moves: notice.moves.map((move) => ({
      reference: move.reference,
      amount: writeAmount(move.amount),
      fee: writeAmount(move.fee),
    })),
  }),
});
const readAmount = (wire: WireAmount): Money =>
  required(parseMoney(wire.amount, wire.currency), 'an amount that was written');
function fromWire(wire: Wire): Notice {
  if (wire.about === 'dispute')
    return {
      ...wire,
      amount: readAmount(wire.amount),
      moves: wire.moves.map((move) => ({
        reference: move.reference,
        amount: readAmount(move.amount),
        fee: readAmount(move.fee),
      })),
    };
  if (wire.about === 'refund') return { ...wire, amount: readAmount(wire.amount) };
  return { ...wire, amount: wire.amount && readAmount(wire.amount) };
}

/** Stores an event; false if it was stored before, in which case the earlier transaction has applied it. */
export async function insertEvent(
  ctx: Ctx,
  provider: ProviderName,
  eventId: string,
  notice: Notice | CardNotice,
): Promise<boolean> {
  const [paymentId, reference] =
    notice.about === 'card'
      ? [null, null]
      : notice.about === 'payment'
        ? [notice.paymentId, notice.reference]
        : [null, notice.paymentReference];
  const kept = notice.about === 'card' ? notice : toWire(notice);
  const { rows } =
    await sql`insert into provider_event (provider, event_id, payment_id, payment_reference, about, outcome, notice, received_at)
    values (${provider}, ${eventId}, ${paymentId}, ${reference}, ${notice.about}, ${notice.outcome}, ${JSON.stringify(kept)}::jsonb, ${ctx.now}) on conflict do nothing returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Returns the events of a payment, oldest first: by our id, or by the provider's reference of its money. */
export async function eventsOf(
  ctx: Ctx,
  provider: ProviderName,
  paymentId: string | null,
  reference: string | null,
): Promise<StoredProviderEvent[]> {
  const { rows } = await sql<{
    event_id: string;
    notice: Wire;
    received_at: Date;
  }>`select event_id, notice, received_at from provider_event
    where provider = ${provider} and (payment_id = ${paymentId} or payment_reference = ${reference}) order by received_at, event_id`.execute(
    ctx.db,
  );
  return rows.map((row) => ({
    provider,
    eventId: row.event_id,
    notice: fromWire(row.notice),
    receivedAt: row.received_at,
  }));
}
