// SQL of payments.
import { sql } from 'kysely';
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { ContentLanguage } from '#kernel/language.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { LocalDay, Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowsCounted,
  searchTotalCap,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import type { Party } from '#features/invoicing/billing/server/index.ts';
import type { Checkout, PaymentInstructions } from '#features/receivables/gateways/server/index.ts';
import type { Payment, PaymentIntent, payments, UnderWay } from '../contract.ts';
import { isPaidLater, providers } from '#features/receivables/gateways/contract.ts';
import { disputeStanding, transferReference } from '../rules.ts';

/** The seller, the buyer and other facts of a receipt when the money was received. */
export type Parties = {
  readonly brand: string;
  readonly seller: Party;
  readonly buyer: Party;
  readonly timeZone: string;
};
/** A payment with its server-only fields. */
export type StoredPayment = Payment & {
  readonly language: ContentLanguage;
  readonly checkout: Checkout | null;
  readonly checkoutReference: string | null;
  readonly expiresAt: Date | null;
  readonly processingAt: Date | null;
  readonly queries: number;
  readonly providerReference: string | null;
  readonly parties: Parties | null;
  /** Charges a saved card without its holder being present. */
  readonly isOffSession: boolean;
  /** The consolidated bill that its money pays, through the balance. */
  readonly consolidatedId: Id<'cbl'> | null;
};

type PaymentRow = {
  id: Id<'pay'>;
  organization_id: Id<'org'>;
  organization: string;
  bill_id: Id<'bil'> | null;
  bill_number: string | null;
  method: Payment['method'];
  state: Payment['state'];
  amount_minor: bigint;
  currency: Currency;
  note: string;
  created_at: Date;
  settled_at: Date | null;
  received_minor: bigint | null;
  received_currency: Currency | null;
  to_bill_minor: bigint;
  refunded_minor: bigint;
  is_mismatch: boolean;
  failure: string;
  language: ContentLanguage;
  checkout: Omit<Checkout, 'reference'> | null;
  checkout_reference: string | null;
  expires_at: Date | null;
  processing_at: Date | null;
  asks: number;
  provider_reference: string | null;
  parties: Parties | null;
  instructions: PaymentInstructions | null;
  withheld_on: LocalDay | null;
  certificate: string;
  dispute_running: boolean | null;
  dispute_lost: boolean | null;
  withdrawn_minor: bigint;
  is_off_session: boolean;
  consolidated_id: Id<'cbl'> | null;
};
const columns = sql<PaymentRow>`p.id, p.organization_id, o.name as organization, p.bill_id, coalesce(b.number, k.number) as bill_number, p.consolidated_id, p.method, p.state, p.amount_minor, p.currency, p.note, p.created_at, p.settled_at, p.received_minor, p.received_currency, p.to_bill_minor, p.refunded_minor,
  p.is_mismatch, p.failure, p.language, p.checkout, p.checkout_reference, p.expires_at, p.processing_at, p.asks, p.provider_reference, p.parties, p.is_off_session, p.instructions, p.withheld_on, p.certificate,
  (select bool_or(d.closed_at is null) from payment_dispute d where d.payment_id = p.id) as dispute_running, (select bool_or(d.state = 'lost') from payment_dispute d where d.payment_id = p.id) as dispute_lost,
  (select coalesce(sum(m.minor), 0)::bigint from payment_dispute d join payment_dispute_move m on m.dispute_id = d.id where d.payment_id = p.id) as withdrawn_minor`;
const tables = sql`payment p join organization o on o.id = p.organization_id left join bill b on b.id = p.bill_id left join consolidated_bill k on k.id = p.consolidated_id`;

function toPayment(row: PaymentRow): Payment {
  const came = (minor: bigint | null): Money | null =>
    minor === null || row.received_currency === null ? null : money(minor, row.received_currency);
  return {
    id: row.id,
    organizationId: row.organization_id,
    organization: row.organization,
    billId: row.bill_id,
    billNumber: row.bill_number,
    method: row.method,
    state: row.state,
    amount: money(row.amount_minor, row.currency),
    received: came(row.received_minor),
    toBill: came(row.received_minor === null ? null : row.to_bill_minor),
    refunded: came(row.received_minor === null ? null : row.refunded_minor),
    dispute: disputeOf(row),
    isMismatch: row.is_mismatch,
    reference: transferReference(row.id),
    failure: row.failure,
    note: row.note,
    ...(row.instructions && {
      instructions: { ...row.instructions, expiresAt: new Date(row.instructions.expiresAt) },
    }),
    ...(row.withheld_on !== null && { withholding: { on: row.withheld_on, certificate: row.certificate } }),
    createdAt: row.created_at,
    settledAt: row.settled_at,
  };
}

/** A dispute that was won, or closed without money moving, is no longer shown. */
function disputeOf(row: PaymentRow): Payment['dispute'] {
  const standing = disputeStanding(
    row.dispute_running === true,
    row.dispute_lost === true,
    row.withdrawn_minor,
  );
  return (
    standing && { standing, withdrawn: money(row.withdrawn_minor, row.received_currency ?? row.currency) }
  );
}

function toStored(row: PaymentRow): StoredPayment {
  return {
    ...toPayment(row),
    language: row.language,
    checkout: row.checkout && { ...row.checkout, reference: row.checkout_reference ?? '' },
    checkoutReference: row.checkout_reference,
    expiresAt: row.expires_at,
    processingAt: row.processing_at,
    queries: row.asks,
    providerReference: row.provider_reference,
    parties: row.parties,
    isOffSession: row.is_off_session,
    consolidatedId: row.consolidated_id,
  };
}

/** A stored payment with the fields that every reader may see. */
export function shown(stored: StoredPayment): Payment {
  const {
    language: _language,
    checkout: _checkout,
    checkoutReference: _reference,
    expiresAt: _expiresAt,
    processingAt: _processingAt,
    queries: _asks,
    providerReference: _provider,
    parties: _parties,
    isOffSession: _offSession,
    consolidatedId: _consolidated,
    ...payment
  } = stored;
  return payment;
}

/** A stored payment for the paying user: with the link to its provider while there is something to do. */
export function shownToPayer(stored: StoredPayment): PaymentIntent {
  return {
    ...shown(stored),
    checkout:
      stored.state === 'pending' && stored.processingAt === null && !stored.instructions && stored.checkout
        ? { url: stored.checkout.url, fields: stored.checkout.fields && { ...stored.checkout.fields } }
        : null,
  };
}

/** Returns one payment; with an organization, a payment of another organization is not found. */
export async function paymentById(
  ctx: Ctx,
  paymentId: string,
  organizationId: string | null = null,
  lock = false,
): Promise<StoredPayment | undefined> {
  // Read after it is locked: its disputes would be those from before whatever this has waited for.
  if (lock) await sql`select 1 from payment where id = ${paymentId} for update`.execute(ctx.db);
  const { rows } =
    await sql<PaymentRow>`select ${columns} from ${tables} where p.id = ${paymentId} and (${organizationId}::text is null or p.organization_id = ${organizationId})`.execute(
      ctx.db,
    );
  return rows[0] && toStored(rows[0]);
}

/** Returns the payment that received some money, by the provider's reference. */
export async function paymentOfReference(
  ctx: Ctx,
  method: Payment['method'],
  reference: string,
): Promise<Id<'pay'> | undefined> {
  const { rows } = await sql<{
    id: Id<'pay'>;
  }>`select id from payment where method = ${method} and provider_reference = ${reference}`.execute(ctx.db);
  return rows[0]?.id;
}

/**
 * Returns the open checkout for the same part of the same bill by the same method, if any; for accounts and
 * codes, the one that has its own. The caller must hold the bill's lock.
 */
export async function openIntent(
  ctx: Ctx,
  billId: string,
  method: Payment['method'],
  amount: Money,
): Promise<Id<'pay'> | undefined> {
  const { rows } = await sql<{
    id: Id<'pay'>;
  }>`select id from payment where bill_id = ${billId} and method = ${method} and state = 'pending' and processing_at is null and (instructions is not null or not ${isPaidLater(method)}) and amount_minor = ${amount.minor} and currency = ${amount.currency} and expires_at > ${new Date(ctx.now.getTime() + 5 * 60_000)} order by id limit 1`.execute(
    ctx.db,
  );
  return rows[0]?.id;
}

/** Returns bills' open checkouts for more than is due now, minus other payments in progress. */
export async function checkoutsAboveDue(ctx: Ctx, billIds: readonly string[]): Promise<Id<'pay'>[]> {
  const { rows } = await sql<{
    id: Id<'pay'>;
  }>`select p.id from payment p join bill b on b.id = p.bill_id where b.id = any(${[...billIds]}::text[]) and p.state = 'pending' and p.processing_at is null and p.expires_at > ${ctx.now}
    and p.amount_minor > case when b.state = 'open' then b.total_minor - b.paid_minor - b.credited_minor else 0 end
      - coalesce((select sum(w.amount_minor) from payment w where w.bill_id = b.id and w.state = 'pending' and w.processing_at is not null), 0) order by p.id`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

/** Returns payments at providers with an unknown outcome that should be queried now. */
export async function paymentsToAsk(ctx: Ctx, limit: number): Promise<StoredPayment[]> {
  const { rows } =
    await sql<PaymentRow>`select ${columns} from ${tables} where p.state = 'pending' and p.method = any(${[...providers]}::text[]) and not p.is_off_session
    and coalesce(p.asked_at, p.created_at) + make_interval(mins => least(60, power(2, least(p.asks + 1, 10)))::int) <= ${ctx.now} order by p.created_at limit ${limit}`.execute(
      ctx.db,
    );
  return rows.map(toStored);
}

/** Stores that a provider was queried about a payment. */
export async function countQuery(ctx: Ctx, paymentId: string): Promise<void> {
  await sql`update payment set asked_at = ${ctx.now}, asks = asks + 1 where id = ${paymentId}`.execute(
    ctx.db,
  );
}

const paymentOrder: ListOrder = {
  by: {
    createdAt: { expression: sql`p.created_at`, cast: 'timestamptz' },
    amount: { expression: sql`p.amount_minor`, cast: 'bigint' },
  },
  usual: '-createdAt',
  id: sql`p.id`,
};

/** Returns one page of payments of an organization (null: of all) with the exact total. */
export function pageOfPayments(
  ctx: Ctx,
  organizationId: string | null,
  input: Omit<In<typeof payments.adminListPayments>, 'organizationId'>,
): Promise<Page<Payment>> {
  const { q, state, method, byTransfer } = input;
  const pattern = q ? containsPattern(q) : undefined;
  // A transfer's reference is the end of its payment's id.
  const reference = q ? containsPattern(q.replace(/^PAY-/i, '')) : undefined;
  const list = {
    columns,
    from: tables,
    where: allOf(
      organizationId && sql`p.organization_id = ${organizationId}`,
      state && sql`p.state = ${sql.lit(state)}`,
      method && sql`p.method = ${sql.lit(method)}`,
      byTransfer && sql`p.method in ('manual', 'bank_transfer')`,
      pattern &&
        sql`(o.name ilike ${pattern} or b.number ilike ${pattern} or k.number ilike ${pattern} or p.note ilike ${pattern} or p.provider_reference ilike ${pattern} or p.id ilike ${reference})`,
    ),
    order: paymentOrder,
    counter: q || method || byTransfer || organizationId ? undefined : rowsCounted('payment', state),
    cap: searchTotalCap,
  };
  return readPage(ctx.db, input, list, toPayment);
}

/** Returns an organization's announced transfers to its balance that await confirmation, newest first. */
export async function pendingTopUps(ctx: Ctx, organizationId: string): Promise<Payment[]> {
  const { rows } =
    await sql<PaymentRow>`select ${columns} from ${tables} where p.organization_id = ${organizationId} and p.state = 'pending' and p.method = 'manual' order by p.created_at desc, p.id desc limit 25`.execute(
      ctx.db,
    );
  return rows.map(toPayment);
}

/** Returns those of some bills with a payment in progress: at a provider, or as an announced transfer. */
export async function billsBeingPaid(ctx: Ctx, billIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    id: string;
  }>`select bill_id as id from payment where bill_id = any(${[...billIds]}::text[]) and state = 'pending'
    union select x.bill_id from consolidated_bill_part x join payment p on p.consolidated_id = x.consolidated_id where x.bill_id = any(${[...billIds]}::text[]) and p.state = 'pending'`.execute(
    ctx.db,
  );
  return new Set(rows.map((row) => row.id));
}

/**
 * Records that the money of a payment is in transit; false if it was already received, failed or recorded.
 */
export async function markProcessing(ctx: Ctx, paymentId: string): Promise<boolean> {
  const { rows } =
    await sql`update payment set processing_at = ${ctx.now} where id = ${paymentId} and state = 'pending' and processing_at is null returning id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/**
 * Returns the amount in progress for a bill, and since when; null if there is none. With an organization,
 * only that organization's.
 */
export async function paymentUnderWay(
  ctx: Ctx,
  billId: string,
  organizationId: string | null = null,
): Promise<UnderWay | null> {
  const { rows } = await sql<{
    minor: string;
    currency: Currency;
    since: Date;
  }>`select sum(minor) as minor, currency, min(since) as since from (
      select amount_minor as minor, currency, processing_at as since from payment where bill_id = ${billId} and (${organizationId}::text is null or organization_id = ${organizationId}) and state = 'pending' and processing_at is not null
      -- Money for a consolidated bill pays all that is due of it.
      union all select b.total_minor - b.paid_minor - b.credited_minor, b.currency, p.processing_at from consolidated_bill_part x join payment p on p.consolidated_id = x.consolidated_id join bill b on b.id = x.bill_id
        where x.bill_id = ${billId} and (${organizationId}::text is null or p.organization_id = ${organizationId}) and p.state = 'pending' and p.processing_at is not null and b.state = 'open') as moving group by currency`.execute(
    ctx.db,
  );
  return rows[0] ? { amount: money(BigInt(rows[0].minor), rows[0].currency), since: rows[0].since } : null;
}

export type NewPayment = {
  organizationId: string;
  billId: string | null;
  consolidatedId?: Id<'cbl'> | null;
  method: Payment['method'];
  amount: Money;
  note: string;
  createdBy: string;
  language: ContentLanguage;
  expiresAt: Date | null;
  withholding?: Payment['withholding'];
  /** Its money counts as in transit from the start, so that no one pays the same in the meantime. */
  isOffSession?: true;
};

/** Adds a payment that waits for its money. */
export async function insertPayment(ctx: Ctx, payment: NewPayment): Promise<Id<'pay'>> {
  const paymentId = ctx.newId('pay');
  await sql`insert into payment (id, organization_id, bill_id, method, state, amount_minor, currency, note, created_at, created_by, language, expires_at, withheld_on, certificate, is_off_session, processing_at, consolidated_id)
    values (${paymentId}, ${payment.organizationId}, ${payment.billId}, ${payment.method}, 'pending', ${payment.amount.minor}, ${payment.amount.currency}, ${payment.note}, ${ctx.now}, ${payment.createdBy}, ${payment.language}, ${payment.expiresAt}, ${payment.withholding?.on ?? null}, ${payment.withholding?.certificate ?? ''}, ${payment.isOffSession === true}, ${payment.isOffSession ? ctx.now : null}, ${payment.consolidatedId ?? null})`.execute(
    ctx.db,
  );
  return paymentId;
}

/**
 * Stores the account or code that the customer got, payable until it expires; false if one was stored before,
 * or no payment is expected.
 */
export async function storeInstructions(
  ctx: Ctx,
  paymentId: string,
  instructions: PaymentInstructions,
): Promise<boolean> {
  const { rows } =
    await sql`update payment set instructions = ${JSON.stringify(instructions)}::jsonb, expires_at = ${new Date(instructions.expiresAt)} where id = ${paymentId} and state = 'pending' and instructions is null returning id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Stores the customer's next step; an existing one is kept. */
export async function storeCheckout(
  ctx: Ctx,
  paymentId: string,
  { reference, ...checkout }: Checkout,
): Promise<void> {
  await sql`update payment set checkout = ${JSON.stringify(checkout)}::jsonb, checkout_reference = ${reference} where id = ${paymentId} and checkout is null`.execute(
    ctx.db,
  );
}

export type ReceivedPayment = {
  readonly received: Money;
  readonly toBill: bigint;
  readonly isMismatch: boolean;
  readonly providerReference: string | null;
  readonly parties: Parties;
  readonly settledBy: string;
};

/** Marks a waiting or expired payment as received; false if it was received before. */
export async function markReceived(ctx: Ctx, paymentId: string, received: ReceivedPayment): Promise<boolean> {
  const { rows } =
    await sql`update payment set state = 'succeeded', settled_at = ${ctx.now}, settled_by = ${received.settledBy}, received_minor = ${received.received.minor}, received_currency = ${received.received.currency}, to_bill_minor = ${received.toBill},
    is_mismatch = ${received.isMismatch}, provider_reference = ${received.providerReference}, parties = ${JSON.stringify(received.parties)}::jsonb, failure = '' where id = ${paymentId} and state in ('pending', 'failed') returning id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** Marks a waiting payment as failed or expired; false if it was already settled. */
export async function settleFailed(
  ctx: Ctx,
  paymentId: string,
  settledBy: string,
  failure: string,
  note: string | null = null,
): Promise<boolean> {
  const { rows } =
    await sql`update payment set state = 'failed', settled_at = ${ctx.now}, settled_by = ${settledBy}, failure = ${failure}, note = coalesce(${note}, note) where id = ${paymentId} and state = 'pending' returning id`.execute(
      ctx.db,
    );
  return rows.length > 0;
}
