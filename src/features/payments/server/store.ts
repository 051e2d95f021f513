// What payments ask the database: payments, and the ledger they move.
import { sql } from 'kysely';
import type { In, Out } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/ctx.ts';
import { allOf, containsPattern, planPage, searchTotalCap } from '#platform/server/paging.ts';
import type { Payment, payments } from '../contract.ts';
import { accountId, type AccountKind, type Entry } from '../rules.ts';

export type LedgerKind = 'bill' | 'top_up' | 'payment' | 'refund' | 'correction';
export type LedgerPosting = { readonly kind: LedgerKind; readonly reference: string; readonly entries: readonly Entry[] };

/** Appends ledger transactions with their entries in three statements, however many there are. */
export async function append(ctx: Ctx, postings: readonly LedgerPosting[]): Promise<void> {
  const made = postings.filter((posting) => posting.entries.length > 0).map((posting) => ({ ...posting, id: ctx.newId('ltx') }));
  if (made.length === 0) return;
  const entries = made.flatMap((posting) => posting.entries.map((entry, index) => ({ transactionId: posting.id, position: index + 1, account: accountId(entry.account), name: entry.account, minor: entry.minor })));
  const accounts = [...new Map(entries.map((entry) => [entry.account, entry.name])).entries()].toSorted(([a], [b]) => (a < b ? -1 : 1));
  await sql`insert into ledger_account (id, kind, organization_id, currency) select * from unnest(${accounts.map(([id]) => id)}::text[], ${accounts.map(([, name]) => name.kind)}::text[], ${accounts.map(([, name]) => name.organizationId)}::text[], ${accounts.map(([, name]) => name.currency)}::text[]) on conflict do nothing`.execute(ctx.db);
  await sql`insert into ledger_transaction (id, kind, reference, at) select *, ${ctx.now}::timestamptz from unnest(${made.map((posting) => posting.id)}::text[], ${made.map((posting) => posting.kind)}::text[], ${made.map((posting) => posting.reference)}::text[])`.execute(ctx.db);
  await sql`insert into ledger_entry (transaction_id, position, account_id, currency, amount_minor)
    select * from unnest(${entries.map((entry) => entry.transactionId)}::text[], ${entries.map((entry) => entry.position)}::smallint[], ${entries.map((entry) => entry.account)}::text[], ${entries.map((entry) => entry.name.currency)}::text[], ${entries.map((entry) => entry.minor)}::bigint[])`.execute(ctx.db);
}

/** What an organization has prepaid in a currency; locked, so that two payments cannot spend the same money. */
export async function lockBalance(ctx: Ctx, organizationId: string, currency: Currency): Promise<Money> {
  const { rows } = await sql<{ balance_minor: bigint }>`select balance_minor from ledger_account where id = ${accountId({ kind: 'balance', organizationId, currency })} for update`.execute(ctx.db);
  // We owe the customer what they prepaid: a credit, so it is stored negative. No account yet: nothing prepaid, and 0n has no minus.
  return money(rows[0] ? -rows[0].balance_minor : 0n, currency);
}

/** Balances and what is owed of an organization, by currency. */
export async function accountsOf(ctx: Ctx, organizationId: string): Promise<{ kind: AccountKind; amount: Money }[]> {
  const { rows } = await sql<{ kind: AccountKind; currency: Currency; balance_minor: bigint }>`select kind, currency, balance_minor from ledger_account where organization_id = ${organizationId} order by currency`.execute(ctx.db);
  return rows.map((row) => ({ kind: row.kind, amount: money(row.kind === 'balance' ? -row.balance_minor : row.balance_minor, row.currency) }));
}

type PaymentRow = { id: Id<'pay'>; organization_id: Id<'org'>; organization: string; bill_id: Id<'bil'> | null; bill_number: string | null; method: Payment['method']; state: Payment['state']; amount_minor: bigint; currency: Currency; note: string; created_at: Date; settled_at: Date | null };
const columns = sql`p.id, p.organization_id, o.name as organization, p.bill_id, b.number as bill_number, p.method, p.state, p.amount_minor, p.currency, p.note, p.created_at, p.settled_at`;
const tables = sql`payment p join organization o on o.id = p.organization_id left join bill b on b.id = p.bill_id`;
const toPayment = (row: PaymentRow): Payment => ({
  id: row.id, organizationId: row.organization_id, organization: row.organization, billId: row.bill_id, billNumber: row.bill_number, method: row.method, state: row.state,
  amount: money(row.amount_minor, row.currency), note: row.note, createdAt: row.created_at, settledAt: row.settled_at,
});

/** One payment. */
export async function paymentById(ctx: Ctx, paymentId: string): Promise<Payment | undefined> {
  const { rows } = await sql<PaymentRow>`select ${columns} from ${tables} where p.id = ${paymentId}`.execute(ctx.db);
  return rows[0] && toPayment(rows[0]);
}

/** One page of payments of an organization (null: of all) with the exact total. */
export async function pageOfPayments(ctx: Ctx, organizationId: string | null, input: In<typeof payments.listPayments>): Promise<{ items: Payment[]; nextCursor: string | null; total: number }> {
  const plan = planPage(input, { createdAt: { expression: sql`p.created_at`, cast: 'timestamptz' }, amount: { expression: sql`p.amount_minor`, cast: 'bigint' } }, '-createdAt', sql`p.id`);
  const pattern = input.q ? containsPattern(input.q) : undefined;
  const where = allOf(
    organizationId && sql`p.organization_id = ${organizationId}`, input.state && sql`p.state = ${input.state}`,
    pattern && sql`(o.name ilike ${pattern} or b.number ilike ${pattern} or p.note ilike ${pattern})`,
  );
  const { rows } = await sql<PaymentRow & { sortValue: string | null }>`select ${columns}, ${plan.sortValue} as "sortValue" from ${tables} where ${allOf(where, plan.after)} order by ${plan.orderBy} limit ${plan.limit}`.execute(ctx.db);
  const counted = input.q || organizationId
    ? await sql<{ total: bigint }>`select count(*) as total from (select 1 from ${tables} where ${where} limit ${searchTotalCap}) as found`.execute(ctx.db)
    : await sql<{ total: bigint }>`select rows_counted('payment', ${input.state ?? ''}, '') as total`.execute(ctx.db);
  const page = plan.cut(rows);
  return { items: page.rows.map(toPayment), nextCursor: page.nextCursor, total: Number(counted.rows[0]?.total ?? 0n) };
}

/** Adds a payment; one that succeeds at once is settled by who made it. */
export async function insertPayment(ctx: Ctx, payment: { organizationId: string; billId: string | null; method: Payment['method']; state: 'pending' | 'succeeded'; amount: Money; note: string; createdBy: string }): Promise<Id<'pay'>> {
  const paymentId = ctx.newId('pay');
  const settled = payment.state === 'succeeded';
  await sql`insert into payment (id, organization_id, bill_id, method, state, amount_minor, currency, note, created_at, created_by, settled_at, settled_by)
    values (${paymentId}, ${payment.organizationId}, ${payment.billId}, ${payment.method}, ${payment.state}, ${payment.amount.minor}, ${payment.amount.currency}, ${payment.note}, ${ctx.now}, ${payment.createdBy}, ${settled ? ctx.now : null}, ${settled ? payment.createdBy : null})`.execute(ctx.db);
  return paymentId;
}

/** Settles a pending payment, once: a second call changes nothing and answers false. */
export async function settle(ctx: Ctx, paymentId: string, state: 'succeeded' | 'failed', settledBy: string, note: string | null): Promise<boolean> {
  const { rows } = await sql`update payment set state = ${state}, settled_at = ${ctx.now}, settled_by = ${settledBy}, note = coalesce(${note}, note) where id = ${paymentId} and state = 'pending' returning id`.execute(ctx.db);
  return rows.length > 0;
}

type EntryRow = { transaction_id: Id<'ltx'>; position: number; kind: LedgerKind; reference: string; at: Date; account_id: string; account_kind: AccountKind; organization: string | null; currency: Currency; amount_minor: bigint };

/** Ledger entries after a place, the newest transaction first. */
export async function ledgerEntries(ctx: Ctx, query: { organizationId: string | null; limit: number; after: { transactionId: string; position: number } | null }): Promise<(Out<typeof payments.ledger>['items'][number] & { position: number })[]> {
  const { rows } = await sql<EntryRow>`select e.transaction_id, e.position, t.kind, t.reference, t.at, e.account_id, a.kind as account_kind, o.name as organization, e.currency, e.amount_minor
    from ledger_entry e join ledger_transaction t on t.id = e.transaction_id join ledger_account a on a.id = e.account_id left join organization o on o.id = a.organization_id
    where (${query.organizationId}::text is null or a.organization_id = ${query.organizationId}) and (${query.after?.transactionId ?? null}::text is null or e.transaction_id < ${query.after?.transactionId ?? null}
      or (e.transaction_id = ${query.after?.transactionId ?? null} and e.position > ${query.after?.position ?? null}))
    order by e.transaction_id desc, e.position limit ${query.limit}`.execute(ctx.db);
  return rows.map((row) => ({
    transactionId: row.transaction_id, position: row.position, kind: row.kind, reference: row.reference, at: row.at, accountId: row.account_id, accountKind: row.account_kind, organization: row.organization,
    debit: row.amount_minor > 0n ? money(row.amount_minor, row.currency) : null, credit: row.amount_minor < 0n ? money(-row.amount_minor, row.currency) : null,
  }));
}

/** How many ledger entries there are. */
export async function countEntries(ctx: Ctx, organizationId: string | null): Promise<number> {
  const { rows } = await sql<{ total: bigint }>`select count(*) as total from ledger_entry e join ledger_account a on a.id = e.account_id where (${organizationId}::text is null or a.organization_id = ${organizationId})`.execute(ctx.db);
  return Number(rows[0]?.total ?? 0n);
}

/** The sum of every kind of account by currency, from the entries themselves, not from the kept balances. */
export async function sumsByKind(ctx: Ctx): Promise<{ currency: Currency; kind: AccountKind; sum: Money }[]> {
  const { rows } = await sql<{ currency: Currency; kind: AccountKind; minor: bigint }>`select e.currency, a.kind, sum(e.amount_minor)::bigint as minor from ledger_entry e join ledger_account a on a.id = e.account_id group by 1, 2 order by 1, 2`.execute(ctx.db);
  return rows.map((row) => ({ currency: row.currency, kind: row.kind, sum: money(row.minor, row.currency) }));
}
