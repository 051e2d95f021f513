// SQL of the ledger: transactions with their entries, and the accounts they change.
import { sql } from 'kysely';
import { money, type Currency, type Money } from '#kernel/money.ts';
import { byKey } from '#kernel/order.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { transactionKinds } from '../contract.ts';
import { accountId, type AccountKind, type Entry } from '../rules.ts';

export type LedgerKind = (typeof transactionKinds)[number];
export type LedgerPosting = {
  readonly kind: LedgerKind;
  readonly reference: string;
  readonly entries: readonly Entry[];
};

/** Appends ledger transactions with their entries in three statements, however many there are. */
export async function append(ctx: Ctx, postings: readonly LedgerPosting[]): Promise<void> {
  const made = postings
    .filter((posting) => posting.entries.length > 0)
    .map((posting) => ({ ...posting, id: ctx.newId('ltx') }));
  if (made.length === 0) return;
  const entries = made.flatMap((posting) =>
    posting.entries.map((entry, index) => ({
      transactionId: posting.id,
      position: index + 1,
      account: accountId(entry.account),
      name: entry.account,
      minor: entry.minor,
    })),
  );
  const accounts = [...new Map(entries.map((entry) => [entry.account, entry.name])).entries()].toSorted(
    byKey,
  );
  await sql`insert into ledger_account (id, kind, organization_id, currency) select * from unnest(${accounts.map(([id]) => id)}::text[], ${accounts.map(([, name]) => name.kind)}::text[], ${accounts.map(([, name]) => name.organizationId)}::text[], ${accounts.map(([, name]) => name.currency)}::text[]) on conflict do nothing`.execute(
    ctx.db,
  );
  await sql`insert into ledger_transaction (id, kind, reference, at) select *, ${ctx.now}::timestamptz from unnest(${made.map((posting) => posting.id)}::text[], ${made.map((posting) => posting.kind)}::text[], ${made.map((posting) => posting.reference)}::text[])`.execute(
    ctx.db,
  );
  await sql`insert into ledger_entry (transaction_id, position, account_id, currency, amount_minor)
    select * from unnest(${entries.map((entry) => entry.transactionId)}::text[], ${entries.map((entry) => entry.position)}::smallint[], ${entries.map((entry) => entry.account)}::text[], ${entries.map((entry) => entry.name.currency)}::text[], ${entries.map((entry) => entry.minor)}::bigint[])`.execute(
    ctx.db,
  );
}

/**
 * Returns an organization's prepaid balance in a currency, locked, so that two payments cannot spend the same
 * money.
 */
export async function lockBalance(ctx: Ctx, organizationId: string, currency: Currency): Promise<Money> {
  const { rows } = await sql<{
    balance_minor: string;
  }>`select balance_minor from ledger_account where id = ${accountId({ kind: 'balance', organizationId, currency })} for no key update`.execute(
    ctx.db,
  );
  // The customer's prepaid balance is a liability of the platform: a credit, so it is stored as a negative
  // amount. Without an account, nothing is prepaid.
  return money(rows[0] ? -BigInt(rows[0].balance_minor) : 0n, currency);
}

/**
 * Returns the prepaid balances of several organizations, by organization and currency (`org_… TWD`), locked
 * in a fixed order. `for no key update` leaves the key free: a transaction that has inserted an entry holds a
 * key-share lock on the account and would deadlock with a full lock.
 */
export async function lockBalances(
  ctx: Ctx,
  organizationIds: readonly string[],
): Promise<Map<string, bigint>> {
  const { rows } = await sql<{
    organization_id: string;
    currency: Currency;
    balance_minor: string;
  }>`select organization_id, currency, balance_minor from ledger_account where kind = 'balance' and organization_id = any(${[...organizationIds]}::text[]) order by id for no key update`.execute(
    ctx.db,
  );
  return new Map(rows.map((row) => [`${row.organization_id} ${row.currency}`, -BigInt(row.balance_minor)]));
}

/** Returns an organization's prepaid balance and receivables, by currency. */
export async function accountsOf(
  ctx: Ctx,
  organizationId: string,
): Promise<{ kind: AccountKind; amount: Money }[]> {
  const { rows } = await sql<{
    kind: AccountKind;
    currency: Currency;
    balance_minor: string;
  }>`select kind, currency, balance_minor from ledger_account where organization_id = ${organizationId} order by currency`.execute(
    ctx.db,
  );
  return rows.map((row) => ({
    kind: row.kind,
    amount: money(BigInt(row.balance_minor) * (row.kind === 'balance' ? -1n : 1n), row.currency),
  }));
}
