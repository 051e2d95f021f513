// SQL of the books for reading: account balances, and transactions with their entries.
import { sql, type RawBuilder } from 'kysely';
import type { In } from '#kernel/contract.ts';
import { encodeId, type Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import type { BillingMonth, Page } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import {
  allOf,
  containsPattern,
  readPage,
  rowsCounted,
  searchTotalCap,
  type ListOrder,
} from '#platform/server/database/paging.ts';
import type { Account, books, Reference, Transaction } from '../contract.ts';

type AccountKind = Account['accountKind'];
type Kind = Transaction['kind'];
/**
 * A time range [from, until) as positions among transactions, whose ids are ordered by time. Null: unbounded.
 */
export type Span = { readonly from: string | null; readonly until: string | null };

/** The smallest possible transaction id at a moment: ids are ordered by time. */
export const placeOf = (moment: Date): string => encodeId('ltx', moment.getTime(), new Uint8Array(10));

/** Places an amount on its side: debits are positive. */
export const sides = (minor: bigint, currency: Currency): { debit: Money | null; credit: Money | null } => ({
  debit: minor > 0n ? money(minor, currency) : null,
  credit: minor < 0n ? money(-minor, currency) : null,
});

/**
 * Returns the sum of every kind of account by currency at a position: stored balances minus the entries after
 * it. With an organization, only its own accounts.
 */
export async function sumsByKind(
  ctx: Ctx,
  until: string | null,
  organizationId: string | null = null,
): Promise<{ currency: Currency; kind: AccountKind; debit: Money | null; credit: Money | null }[]> {
  const owned = (account: string) => ofOwnAccounts(organizationId, account);
  const since =
    until === null
      ? sql`0`
      : sql`coalesce((select sum(e.amount_minor) from ledger_entry e join ledger_account b on b.id = e.account_id where e.transaction_id >= ${until} and b.kind = a.kind and b.currency = a.currency and ${owned('b')}), 0)`;
  const { rows } = await sql<{
    currency: Currency;
    kind: AccountKind;
    minor: string;
  }>`select currency, kind, minor - ${since} as minor
    from (select currency, kind, sum(balance_minor) as minor from ledger_account o where ${owned('o')} group by 1, 2) as a order by 1, 2`.execute(
    ctx.db,
  );
  return rows.map(({ currency, kind, minor }) => ({ currency, kind, ...sides(BigInt(minor), currency) }));
}

type AccountRow = {
  id: string;
  kind: AccountKind;
  organization_id: Id<'org'> | null;
  organization: string | null;
  currency: Currency;
  balance_minor: string;
};
const accountColumns = sql<AccountRow>`a.id, a.kind, a.organization_id, o.name as organization, a.currency, a.balance_minor`;
const accountTables = sql`ledger_account a left join organization o on o.id = a.organization_id`;
const toAccount = (row: AccountRow): Account => ({
  accountId: row.id,
  accountKind: row.kind,
  organizationId: row.organization_id,
  organization: row.organization,
  currency: row.currency,
  ...sides(BigInt(row.balance_minor), row.currency),
});

const accountOrder: ListOrder = {
  by: {
    owner: { expression: sql`coalesce(o.name, '')`, cast: 'text' },
    balance: { expression: sql`a.balance_minor`, cast: 'numeric' },
  },
  usual: 'owner',
  id: sql`a.id`,
};

/** One page of accounts with the exact total. */
export function pageOfAccounts(ctx: Ctx, input: In<typeof books.listAccounts>): Promise<Page<Account>> {
  const { kind, currency, organizationId, q } = input;
  const list = {
    columns: accountColumns,
    from: accountTables,
    where: allOf(
      kind && sql`a.kind = ${sql.lit(kind)}`,
      currency && sql`a.currency = ${sql.lit(currency)}`,
      organizationId && sql`a.organization_id = ${organizationId}`,
      q && sql`o.name ilike ${containsPattern(q)}`,
    ),
    order: accountOrder,
    counter: q || organizationId ? undefined : rowsCounted('ledger_account', kind, currency ?? ''),
    cap: searchTotalCap,
  };
  return readPage(ctx.db, input, list, toAccount);
}

/** One account. */
export async function accountById(
  ctx: Ctx,
  accountId: string,
): Promise<(Account & { minor: bigint }) | undefined> {
  const { rows } =
    await sql<AccountRow>`select ${accountColumns} from ${accountTables} where a.id = ${accountId}`.execute(
      ctx.db,
    );
  return rows[0] && { ...toAccount(rows[0]), minor: BigInt(rows[0].balance_minor) };
}

/**
 * The bill of a transaction `t`: the bill itself, the bill that its payment or refund concerns, or the bill
 * of its credit note.
 */
export const referenceTables = sql`left join payment_refund r on t.kind in ('refund', 'correction') and r.id = t.reference left join payment_dispute_move dm on t.kind = 'dispute' and dm.id = t.reference left join payment_dispute d on d.id = dm.dispute_id left join payment p on p.id = coalesce(r.payment_id, d.payment_id, case when t.kind in ('payment', 'top_up', 'correction') then t.reference end) left join credit_note n on t.kind = 'credit_note' and n.id = t.reference left join bill b on b.id = coalesce(p.bill_id, n.bill_id, t.reference)`;
export const referenceColumns = sql`t.reference, b.id as bill_id, coalesce(n.number, b.number) as bill_number, b.month as bill_month`;
export type ReferenceRow = {
  reference: string;
  bill_id: Id<'bil'> | null;
  bill_number: string | null;
  bill_month: BillingMonth | null;
};
export const toReference = (row: ReferenceRow): Reference => ({
  id: row.reference,
  billId: row.bill_id,
  billNumber: row.bill_number,
  billMonth: row.bill_month,
});

export type TransactionFilter = {
  readonly span: Span;
  readonly kind: Kind | undefined;
  readonly accountKind: AccountKind | undefined;
  readonly organizationId: string | undefined;
  /** Searches organization names and bill numbers. */ readonly q: string | undefined;
};

/** A condition for transactions `t` that match a filter. */
export function transactionsWhere({
  span,
  kind,
  accountKind,
  organizationId,
  q,
}: TransactionFilter): RawBuilder<unknown> {
  const pattern = q ? containsPattern(q) : undefined;
  const entries = allOf(
    accountKind && sql`a.kind = ${accountKind}`,
    organizationId && sql`a.organization_id = ${organizationId}`,
  );
  return allOf(
    span.from !== null && sql`t.id >= ${span.from}`,
    span.until !== null && sql`t.id < ${span.until}`,
    kind && sql`t.kind = ${kind}`,
    // An organization has few entries, so they are looked up first; a kind of account occurs in nearly every
    // transaction.
    organizationId &&
      sql`t.id in (select e.transaction_id from ledger_account a join ledger_entry e on e.account_id = a.id where ${entries})`,
    accountKind &&
      !organizationId &&
      sql`exists (select from ledger_entry e join ledger_account a on a.id = e.account_id where e.transaction_id = t.id and ${entries})`,
    pattern &&
      sql`(t.id in (select e.transaction_id from organization o join ledger_account a on a.organization_id = o.id join ledger_entry e on e.account_id = a.id where o.name ilike ${pattern})
      or t.reference in (select id from bill where number ilike ${pattern} union all select p.id from payment p join bill b on b.id = p.bill_id where b.number ilike ${pattern}))`,
  );
}

/** The condition that accounts (a table called `account`) belong to an organization; always true without one. */
export const ofOwnAccounts = (organizationId: string | null, account = 'a'): RawBuilder<unknown> =>
  organizationId === null ? sql`true` : sql`${sql.ref(`${account}.organization_id`)} = ${organizationId}`;

type TransactionRow = ReferenceRow & {
  id: Id<'ltx'>;
  kind: Kind;
  at: Date;
  entries: [
    accountId: string,
    kind: AccountKind,
    organizationId: Id<'org'> | null,
    organization: string | null,
    minor: string,
    currency: Currency,
  ][];
};

const toTransaction = (row: TransactionRow): Transaction => ({
  transactionId: row.id,
  kind: row.kind,
  at: row.at,
  reference: toReference(row),
  entries: row.entries.map(([accountId, accountKind, organizationId, organization, minor, currency]) => ({
    accountId,
    accountKind,
    organizationId,
    organization,
    ...sides(BigInt(minor), currency),
  })),
});
const transactionOrder: ListOrder = {
  by: { id: { expression: sql`t.id`, cast: 'text' } },
  usual: '-id',
  id: sql`t.id`,
};

/**
 * Returns one page of transactions with their entries, newest first. If only the kind is filtered, the total
 * is exact, from a counter; otherwise it is counted up to a limit, because counting millions of rows is slow.
 */
export function pageOfTransactions(
  ctx: Ctx,
  filter: TransactionFilter,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<Transaction>> {
  const { kind = '', accountKind, organizationId, q, span } = filter;
  const isCounted = span.from === null && span.until === null && !accountKind && !organizationId && !q;
  const list = {
    columns: sql<TransactionRow>`t.id, t.kind, t.at, ${referenceColumns},
      (select jsonb_agg(jsonb_build_array(a.id, a.kind, a.organization_id, o.name, e.amount_minor::text, e.currency) order by e.amount_minor < 0, e.position) from ledger_entry e join ledger_account a on a.id = e.account_id left join organization o on o.id = a.organization_id where e.transaction_id = t.id) as entries`,
    from: sql`ledger_transaction t`,
    where: transactionsWhere(filter),
    order: transactionOrder,
    counter: isCounted ? rowsCounted('ledger_transaction', kind) : undefined,
    cap: searchTotalCap,
    join: (rows: RawBuilder<unknown>) => sql`${rows} t ${referenceTables}`,
  };
  return readPage(ctx.db, page, list, toTransaction);
}
