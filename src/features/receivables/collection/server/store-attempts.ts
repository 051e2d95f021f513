// SQL of collection: organizations that have it on, bills to charge, and attempts.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth, LocalDay, Page } from '#kernel/shape.ts';
import type { In } from '#kernel/contract.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { allOf, containsPattern, readPage } from '#platform/server/database/paging.ts';
import type { CardProviderName } from '#features/receivables/gateways/server/index.ts';
import { dueByNow, nextPart } from '#features/invoicing/billing/server/index.ts';
import type { collection, CollectedOrganization, CollectionPlan, Stop } from '../contract.ts';
import { expiryOf } from '../rules.ts';

/** Returns whether an organization's bills are charged automatically, and since when. */
export async function switchOf(
  ctx: Ctx,
  organizationId: string,
): Promise<{ isOn: boolean; changedAt: Date | null }> {
  const { rows } = await sql<{
    isOn: boolean;
    changedAt: Date;
  }>`select is_on as "isOn", changed_at as "changedAt" from collection_switch where organization_id = ${organizationId}`.execute(
    ctx.db,
  );
  return rows[0] ?? { isOn: false, changedAt: null };
}

/** Turns collection on or off; false if that was already its state. */
export async function storeSwitch(
  ctx: Ctx,
  organizationId: string,
  isOn: boolean,
  changedBy: string,
): Promise<boolean> {
  const { rows } =
    await sql`insert into collection_switch as s (organization_id, is_on, changed_at, changed_by) values (${organizationId}, ${isOn}, ${ctx.now}, ${changedBy})
    on conflict (organization_id) do update set is_on = excluded.is_on, changed_at = excluded.changed_at, changed_by = excluded.changed_by where s.is_on <> excluded.is_on returning 1`.execute(
      ctx.db,
    );
  return rows.length > 0;
}

/** After a different card or decision: stopped collections of open bills start a new schedule now. */
export async function restartStopped(ctx: Ctx, organizationId: string): Promise<void> {
  await sql`update bill_collection p set stopped = null, tries = 0, next_at = ${ctx.now} from bill b where b.id = p.bill_id and b.state = 'open' and p.organization_id = ${organizationId} and p.stopped is not null`.execute(
    ctx.db,
  );
}

const dayIn = (moment: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${moment} at time zone o.time_zone)::date`;
/** The same day as `firstDayOf` in the rules. */
const firstDay = ({ firstDay: kind, daysBefore }: CollectionPlan): RawBuilder<unknown> =>
  kind === 'issue'
    ? dayIn(sql`b.issued_at`)
    : sql`greatest(${dayIn(sql`b.issued_at`)}, ${dayIn(sql`b.due_at`)} - ${kind === 'before' ? daysBefore : 0}::int)`;
const due = sql`(b.total_minor - b.paid_minor - b.credited_minor)`;
const isPending = sql`exists (select from collection_attempt a join payment p on p.id = a.payment_id where a.bill_id = b.id and p.state = 'pending')`;
/**
 * Bills that can be charged: open, not stopped, of an organization that has collection on and a default card.
 */
const collectable = sql`bill b join organization o on o.id = b.organization_id join collection_switch s on s.organization_id = b.organization_id and s.is_on
  join saved_card c on c.organization_id = b.organization_id and c.is_default left join bill_collection k on k.bill_id = b.id left join lateral ${nextPart} n on true`;
/**
 * Each installment of a bill has its own schedule; so does the whole of a bill that is no longer due in
 * installments.
 */
const isBegun = sql`(k.bill_id is not null and k.instalment is not distinct from n.position)`;
const firstDayOfPart = (plan: CollectionPlan): RawBuilder<unknown> =>
  sql`coalesce(n.due_on, ${firstDay(plan)})`;
const isToCharge = (ctx: Ctx, plan: CollectionPlan): RawBuilder<unknown> =>
  sql`b.state = 'open' and ${dueByNow(ctx.now)} > 0 and not ${isPending} and case when not ${isBegun} then ${dayIn(sql`${ctx.now}::timestamptz`)} >= ${firstDayOfPart(plan)} else k.next_at <= ${ctx.now} end`;

/** Returns the next bills after a given one, by id, that must be charged now. */
export async function billsToCharge(
  ctx: Ctx,
  plan: CollectionPlan,
  after: string,
  limit: number,
): Promise<Id<'bil'>[]> {
  const { rows } = await sql<{
    id: Id<'bil'>;
  }>`select b.id from ${collectable} where ${isToCharge(ctx, plan)} and b.id > ${after} order by b.id limit ${limit}`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

export type Charge = {
  readonly cardId: Id<'crd'>;
  readonly provider: CardProviderName;
  readonly attempts: number;
  readonly tries: number;
  readonly firstAt: Date | null;
  /** Everything due, or the installments whose day has come, in minor units. */
  readonly minor: bigint;
  readonly instalment: number | null;
};

/**
 * Returns what a bill is charged now; undefined if it is not to be charged. The caller holds the bill's lock.
 */
export async function chargeOf(ctx: Ctx, plan: CollectionPlan, billId: string): Promise<Charge | undefined> {
  const { rows } =
    await sql<Charge>`select c.id as "cardId", c.provider, coalesce(k.attempts, 0) as attempts, case when ${isBegun} then k.tries else 0 end as tries, k.first_at as "firstAt", ${dueByNow(ctx.now)}::bigint as minor, n.position as instalment from ${collectable} where b.id = ${billId} and ${isToCharge(ctx, plan)}`.execute(
      ctx.db,
    );
  return rows[0];
}

/** Stores an attempt and marks it as pending. */
export async function insertAttempt(
  ctx: Ctx,
  attempt: {
    billId: string;
    organizationId: string;
    number: number;
    tries: number;
    firstAt: Date;
    paymentId: string;
    cardId: string;
    instalment: number | null;
  },
): Promise<void> {
  await sql`insert into collection_attempt (bill_id, number, payment_id, card_id) values (${attempt.billId}, ${attempt.number}, ${attempt.paymentId}, ${attempt.cardId})`.execute(
    ctx.db,
  );
  await sql`insert into bill_collection (bill_id, organization_id, attempts, tries, first_at, instalment, next_at) values (${attempt.billId}, ${attempt.organizationId}, ${attempt.number}, ${attempt.tries}, ${attempt.firstAt}, ${attempt.instalment}, null)
    on conflict (bill_id) do update set attempts = excluded.attempts, tries = excluded.tries, first_at = excluded.first_at, instalment = excluded.instalment, next_at = null, stopped = null`.execute(
    ctx.db,
  );
}

/** An attempt with everything that its provider is sent. */
export type StoredAttempt = {
  readonly billId: Id<'bil'>;
  readonly billNumber: string;
  readonly month: BillingMonth;
  readonly organizationId: Id<'org'>;
  readonly timeZone: string;
  readonly number: number;
  readonly tries: number;
  readonly firstAt: Date;
  readonly paymentId: Id<'pay'>;
  readonly amount: Money;
  readonly provider: CardProviderName;
  readonly customer: string | null;
  /** The user who entered the card; empty if deleted. */
  readonly payerEmail: string;
  readonly payerName: string;
  readonly card: string;
  readonly brand: string;
  readonly last4: string;
  readonly createdAt: Date;
  /** Whether it would still be started: collection is on, the card exists, and no less is due. */
  readonly isWanted: boolean;
};
type AttemptRow = Omit<StoredAttempt, 'amount'> & { minor: bigint; currency: Currency };
const attempts = sql`collection_attempt a join payment p on p.id = a.payment_id join bill b on b.id = a.bill_id join organization o on o.id = b.organization_id
  join saved_card c on c.id = a.card_id join card_setup u on u.id = c.setup_id left join app_user w on w.id = u.created_by join bill_collection k on k.bill_id = a.bill_id left join card_customer m on m.organization_id = b.organization_id and m.provider = c.provider left join collection_switch s on s.organization_id = b.organization_id`;
const attemptColumns = sql<AttemptRow>`a.bill_id as "billId", b.number as "billNumber", b.month, b.organization_id as "organizationId", o.time_zone as "timeZone", a.number, k.tries, k.first_at as "firstAt", a.payment_id as "paymentId", p.amount_minor as minor, p.currency,
  m.reference as customer, c.provider, coalesce(w.account, '') as "payerEmail", coalesce(w.name, '') as "payerName", c.reference as card, c.brand, c.last4, p.created_at as "createdAt", (b.state = 'open' and ${due} >= p.amount_minor and c.removed_at is null and coalesce(s.is_on, false)) as "isWanted"`;
const toAttempt = ({ minor, currency, ...row }: AttemptRow): StoredAttempt => ({
  ...row,
  amount: money(minor, currency),
});

export async function attemptOf(ctx: Ctx, paymentId: string): Promise<StoredAttempt | undefined> {
  const { rows } =
    await sql<AttemptRow>`select ${attemptColumns} from ${attempts} where a.payment_id = ${paymentId}`.execute(
      ctx.db,
    );
  return rows[0] && toAttempt(rows[0]);
}

/**
 * Returns attempts without a response that should be queried; the interval between two queries grows to an
 * hour.
 */
export async function attemptsToAsk(ctx: Ctx, limit: number): Promise<StoredAttempt[]> {
  const { rows } = await sql<AttemptRow>`select ${attemptColumns} from ${attempts} where p.state = 'pending'
    and coalesce(a.asked_at, p.created_at) + make_interval(mins => least(60, power(2, least(a.asks + 1, 10)))::int) <= ${ctx.now} order by p.created_at limit ${limit}`.execute(
    ctx.db,
  );
  return rows.map(toAttempt);
}

export async function countAsked(ctx: Ctx, paymentId: string): Promise<void> {
  await sql`update collection_attempt set asked_at = ${ctx.now}, asks = asks + 1 where payment_id = ${paymentId}`.execute(
    ctx.db,
  );
}

/** Stores why an attempt failed, and what follows. */
export async function storeFailure(
  ctx: Ctx,
  { paymentId, billId }: Pick<StoredAttempt, 'paymentId' | 'billId'>,
  code: string,
  next: { nextAt: Date } | { stopped: Stop },
): Promise<void> {
  await sql`update collection_attempt set code = ${code} where payment_id = ${paymentId}`.execute(ctx.db);
  await sql`update bill_collection set next_at = ${'nextAt' in next ? next.nextAt : null}, stopped = ${'stopped' in next ? next.stopped : null} where bill_id = ${billId}`.execute(
    ctx.db,
  );
}

/** The state of a bill's collection. */
export type BillStanding = {
  readonly billId: Id<'bil'>;
  readonly isOn: boolean;
  readonly isUnderWay: boolean;
  readonly nextOn: LocalDay | null;
  /** The default card. */
  readonly card: { readonly brand: string; readonly last4: string } | null;
  readonly stopped: Stop | null;
};

/** Returns the state of collection for some bills; a scheduled day in the past counts as today. */
export async function standingsOf(
  ctx: Ctx,
  plan: CollectionPlan,
  billIds: readonly string[],
): Promise<BillStanding[]> {
  const today = dayIn(sql`${ctx.now}::timestamptz`);
  const { rows } = await sql<BillStanding>`
    select b.id as "billId", coalesce(s.is_on, false) and c.id is not null as "isOn", ${isPending} as "isUnderWay", case when c.id is not null then jsonb_build_object('brand', c.brand, 'last4', c.last4) end as card, case when b.state = 'open' and ${isBegun} then k.stopped end as stopped,
      case when b.state = 'open' and ${due} > 0 and s.is_on and c.id is not null and not ${isPending}
        then (case when not ${isBegun} then greatest(${today}, ${firstDayOfPart(plan)}) when k.next_at is not null then greatest(${today}, ${dayIn(sql`k.next_at`)}) end)::text end as "nextOn"
    from bill b join organization o on o.id = b.organization_id left join collection_switch s on s.organization_id = b.organization_id
      left join saved_card c on c.organization_id = b.organization_id and c.is_default left join bill_collection k on k.bill_id = b.id left join lateral ${nextPart} n on true
    where b.id = any(${[...billIds]}::text[])`.execute(ctx.db);
  return rows;
}

type ShownAttempt = {
  number: number;
  paymentId: Id<'pay'>;
  state: 'pending' | 'succeeded' | 'failed' | 'refunded';
  amount: Money;
  brand: string;
  last4: string;
  code: string;
  at: Date;
};

/** Returns the attempts of a bill, newest first. */
export async function attemptsOfBill(ctx: Ctx, billId: string): Promise<ShownAttempt[]> {
  const { rows } = await sql<
    Omit<ShownAttempt, 'amount'> & { minor: bigint; currency: Currency }
  >`select a.number, a.payment_id as "paymentId", p.state, p.amount_minor as minor, p.currency, c.brand, c.last4, a.code, p.created_at as at
    from collection_attempt a join payment p on p.id = a.payment_id join saved_card c on c.id = a.card_id where a.bill_id = ${billId} order by a.number desc`.execute(
    ctx.db,
  );
  return rows.map(({ minor, currency, ...row }) => ({ ...row, amount: money(minor, currency) }));
}

type CollectedRow = Omit<CollectedOrganization, 'cards'> & {
  id: string;
  today: LocalDay;
  cards: { brand: string; last4: string; isDefault: boolean; expMonth: number; expYear: number }[];
};

/** Returns the organizations that have cards, or had their bills charged. */
export function pageOfCollected(
  ctx: Ctx,
  input: In<typeof collection.listCollected>,
): Promise<Page<CollectedOrganization>> {
  const list = {
    columns: sql<CollectedRow>`o.id, o.id as "organizationId", o.name as organization, coalesce(s.is_on, false) as "isOn", s.changed_at as "changedAt", ${dayIn(sql`${ctx.now}::timestamptz`)}::text as today,
      (select coalesce(jsonb_agg(jsonb_build_object('brand', c.brand, 'last4', c.last4, 'isDefault', c.is_default, 'expMonth', c.exp_month, 'expYear', c.exp_year) order by c.is_default desc, c.created_at desc), '[]') from saved_card c where c.organization_id = o.id and c.removed_at is null) as cards,
      (select count(*)::int from bill_collection k join bill b on b.id = k.bill_id where k.organization_id = o.id and k.stopped is not null and b.state = 'open') as stopped`,
    from: sql`organization o left join collection_switch s on s.organization_id = o.id`,
    where: allOf(
      sql`(coalesce(s.is_on, false) or exists (select from saved_card c where c.organization_id = o.id and c.removed_at is null))`,
      input.q && sql`o.name ilike ${containsPattern(input.q)}`,
    ),
    order: {
      by: { organization: { expression: sql`o.name`, cast: 'text' } },
      usual: 'organization',
      id: sql`o.id`,
    } as const,
  };
  return readPage(ctx.db, input, list, (row) => ({
    organizationId: row.organizationId,
    organization: row.organization,
    isOn: row.isOn,
    changedAt: row.changedAt,
    stopped: row.stopped,
    cards: row.cards.map(({ brand, last4, isDefault, ...card }) => ({
      brand,
      last4,
      isDefault,
      expiry: expiryOf(card, row.today),
    })),
  }));
}

/** Returns the earliest time in the future at which an attempt of any bill is due. */
export async function nextAttemptAt(ctx: Ctx): Promise<Date | undefined> {
  const { rows } = await sql<{
    at: Date | null;
  }>`select min(next_at) as at from bill_collection where next_at > ${ctx.now} and stopped is null`.execute(
    ctx.db,
  );
  return rows[0]?.at ?? undefined;
}
