// SQL of statements of account: one account's entries over a time, oldest first, with the balance after each.
import { sql, type RawBuilder } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { allOf, readTotal } from '#platform/server/database/paging.ts';
import type { Account, Transaction } from '../contract.ts';
import { referenceColumns, referenceTables, type ReferenceRow, type Span } from './store.ts';

const within = ({ from, until }: Span): RawBuilder<unknown> =>
  allOf(
    from !== null && sql`e.transaction_id >= ${from}`,
    until !== null && sql`e.transaction_id < ${until}`,
  );

/**
 * Returns an account's totals over a period, debits positive: opening balance, debits, credits, number of
 * entries.
 */
export async function sumsOf(
  ctx: Ctx,
  accountId: string,
  balance: bigint,
  span: Span,
): Promise<{ opening: bigint; debits: bigint; credits: bigint; total: number }> {
  const { rows } = await sql<{
    debits: string;
    credits: string;
    later: string;
    total: bigint;
  }>`select coalesce(sum(e.amount_minor) filter (where e.amount_minor > 0 and ${within(span)}), 0) as debits, coalesce(-sum(e.amount_minor) filter (where e.amount_minor < 0 and ${within(span)}), 0) as credits,
      coalesce(sum(e.amount_minor) filter (where not ${within(span)}), 0) as later, count(*) filter (where ${within(span)}) as total
    from ledger_entry e where e.account_id = ${accountId} and ${allOf(span.from !== null && sql`e.transaction_id >= ${span.from}`)}`.execute(
    ctx.db,
  );
  const { later, total, ...sums } = rows[0] ?? { debits: '0', credits: '0', later: '0', total: 0n };
  const [debits, credits] = [BigInt(sums.debits), BigInt(sums.credits)];
  return { opening: balance - BigInt(later) - debits + credits, debits, credits, total: Number(total) };
}

export type EntryRow = ReferenceRow & {
  transaction_id: Id<'ltx'>;
  position: number;
  kind: Transaction['kind'];
  at: Date;
  currency: Currency;
  amount_minor: bigint;
};
export type Place = { readonly transactionId: string; readonly position: number };

/** Returns an account's entries over a period, oldest first, after a position. */
export async function entriesOf(
  ctx: Ctx,
  accountId: string,
  span: Span,
  limit: number,
  after: Place | null,
): Promise<EntryRow[]> {
  const { rows } =
    await sql<EntryRow>`select e.transaction_id, e.position, t.kind, t.at, e.currency, e.amount_minor, ${referenceColumns}
    from ledger_entry e join ledger_transaction t on t.id = e.transaction_id ${referenceTables}
    where e.account_id = ${accountId} and ${allOf(within(span), after && sql`(e.transaction_id, e.position) > (${after.transactionId}, ${after.position}::smallint)`)} order by e.transaction_id, e.position limit ${limit}`.execute(
      ctx.db,
    );
  return rows;
}

/** Returns an organization's own two accounts in each currency. */
export async function ownAccounts(
  ctx: Ctx,
  organizationId: string,
): Promise<{ id: string; kind: 'receivable' | 'balance'; currency: Currency; minor: bigint }[]> {
  const { rows } = await sql<{
    id: string;
    kind: 'receivable' | 'balance';
    currency: Currency;
    minor: string;
  }>`select id, kind, currency, balance_minor as minor from ledger_account where organization_id = ${organizationId} order by currency, kind desc`.execute(
    ctx.db,
  );
  return rows.map((row) => ({ ...row, minor: BigInt(row.minor) }));
}

export type ExportedEntry = EntryRow & {
  account_kind: Account['accountKind'];
  organization: string | null;
  /** A sum may exceed a bigint, so PostgreSQL returns a numeric, as text. */
  after: string;
};

/**
 * All entries of some accounts over a period with the balance after each, for files: account by account,
 * oldest first.
 */
export function statementQuery(accountIds: readonly string[], span: Span): RawBuilder<ExportedEntry> {
  return sql<ExportedEntry>`select e.transaction_id, e.position, t.kind, t.at, e.currency, e.amount_minor, a.kind as account_kind, o.name as organization, ${referenceColumns},
      (a.balance_minor - coalesce((select sum(l.amount_minor) from ledger_entry l where l.account_id = a.id and l.transaction_id >= ${span.from ?? ''}), 0) + sum(e.amount_minor) over (partition by a.id order by e.transaction_id, e.position)) as after
    from ledger_account a left join organization o on o.id = a.organization_id join ledger_entry e on e.account_id = a.id join ledger_transaction t on t.id = e.transaction_id ${referenceTables}
    where a.id = any(${[...accountIds]}::text[]) and ${within(span)} order by a.kind desc, e.transaction_id, e.position`;
}

/** Entries of transactions `t` that match a filter, for files: oldest first. */
export function entriesQuery(where: RawBuilder<unknown>): RawBuilder<ExportedEntry> {
  return sql<ExportedEntry>`select e.transaction_id, e.position, t.kind, t.at, e.currency, e.amount_minor, a.kind as account_kind, o.name as organization, ${referenceColumns}, 0::numeric as after
    from ledger_transaction t join ledger_entry e on e.transaction_id = t.id join ledger_account a on a.id = e.account_id left join organization o on o.id = a.organization_id ${referenceTables} where ${where} order by t.id, e.position`;
}

/** Counts the entries of transactions that match a filter. */
export const countEntries = (ctx: Ctx, where: RawBuilder<unknown>): Promise<number> =>
  readTotal(ctx.db, {
    from: sql`ledger_transaction t join ledger_entry e on e.transaction_id = t.id`,
    where,
  });
