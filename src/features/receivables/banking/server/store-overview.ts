// SQL of the overview: overdue transfers, certain rows, and the bank's movement compared with the ledger's.
import { sql } from 'kysely';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { BankOverview } from '../contract.ts';

const maxLate = 25;
/** The maximum number of rows that one call books. */
const maxCertain = 500;

/** Returns announced transfers that have been waiting since before a given time, oldest first. */
export async function lateTransfers(ctx: Ctx, before: Date): Promise<BankOverview['late']> {
  const { rows } = await sql<{
    id: Id<'pay'>;
    organization: string;
    reference: string;
    minor: bigint;
    currency: Currency;
    created_at: Date;
    total: bigint;
  }>`
    select p.id, o.name as organization, 'PAY-' || upper(right(p.id, 8)) as reference, p.amount_minor as minor, p.currency, p.created_at, count(*) over () as total
    from payment p join organization o on o.id = p.organization_id where p.state = 'pending' and p.method in ('manual', 'bank_transfer') and p.created_at < ${before} order by p.created_at, p.id limit ${maxLate}`.execute(
    ctx.db,
  );
  return {
    total: Number(rows[0]?.total ?? 0n),
    items: rows.map((row) => ({
      paymentId: row.id,
      organization: row.organization,
      reference: row.reference,
      amount: money(row.minor, row.currency),
      createdAt: row.created_at,
    })),
  };
}

/** The number of open rows, and the certain ones, by currency, with money in and money out separate. */
export async function waitingRows(ctx: Ctx): Promise<Pick<BankOverview, 'open' | 'matched' | 'certain'>> {
  const { rows: counts } = await sql<{
    state: 'open' | 'matched';
    count: bigint;
  }>`select state, count(*) as count from bank_row where state in ('open', 'matched') group by state`.execute(
    ctx.db,
  );
  const { rows } = await sql<{
    currency: Currency;
    count: bigint;
    minor: string;
    ids: Id<'bkr'>[];
  }>`select currency, count(*) as count, sum(amount_minor) as minor, array_agg(id order by day, id) as ids
    from (select *, row_number() over (partition by currency, amount_minor > 0 order by day, id) as place from bank_row where state = 'matched' and certainty = 'certain') as certain where place <= ${maxCertain} group by currency, amount_minor > 0 order by currency, amount_minor > 0 desc`.execute(
    ctx.db,
  );
  const of = (state: 'open' | 'matched'): number =>
    Number(counts.find((each) => each.state === state)?.count ?? 0n);
  return {
    open: of('open'),
    matched: of('matched'),
    certain: rows.map((row) => ({
      count: Number(row.count),
      total: money(BigInt(row.minor), row.currency),
      rowIds: row.ids,
    })),
  };
}

export type Movement = {
  currency: Currency;
  statement: bigint;
  open: bigint;
  ignored: bigint;
  booked: bigint;
  byHand: bigint;
  refundsUnseen: bigint;
};

/**
 * By currency: the movement on statements, the unbooked part, the ledger's cash movement by bank, and its
 * part on no statement.
 */
export async function bankMovements(ctx: Ctx): Promise<Movement[]> {
  const { rows } = await sql<Record<Exclude<keyof Movement, 'currency'>, string> & { currency: Currency }>`
    with statement as (select currency, sum(amount_minor) as statement, coalesce(sum(amount_minor) filter (where state in ('open', 'matched')), 0) as open, coalesce(sum(amount_minor) filter (where state = 'ignored'), 0) as ignored from bank_row group by 1),
      cash as (select e.currency, sum(e.amount_minor) as booked from ledger_entry e join ledger_account a on a.id = e.account_id join ledger_transaction t on t.id = e.transaction_id
        left join payment_refund r on t.kind in ('refund', 'correction') and r.id = t.reference join payment p on p.id = coalesce(r.payment_id, t.reference)
        where a.kind = 'cash' and p.method in ('manual', 'bank_transfer') group by 1),
      hand as (select received_currency as currency, sum(received_minor) as by_hand from payment p where p.method in ('manual', 'bank_transfer') and p.received_minor is not null and not exists (select from bank_application b where b.payment_id = p.id) group by 1),
      back as (select r.currency, sum(r.amount_minor) as unseen from payment_refund r join payment p on p.id = r.payment_id where p.method in ('manual', 'bank_transfer') and r.origin = 'admin' and r.state = 'succeeded'
        and not exists (select from bank_application b where b.refund_id = r.id and b.undone_at is null) group by 1)
    select c.currency, coalesce(statement.statement, 0) as statement, coalesce(statement.open, 0) as open, coalesce(statement.ignored, 0) as ignored, coalesce(cash.booked, 0) as booked, coalesce(hand.by_hand, 0) as "byHand",
      coalesce(back.unseen, 0) as "refundsUnseen"
    from (select currency from statement union select currency from cash) as c left join statement using (currency) left join cash using (currency) left join hand using (currency) left join back using (currency) order by 1`.execute(
    ctx.db,
  );
  return rows.map((row) => ({
    currency: row.currency,
    statement: BigInt(row.statement),
    open: BigInt(row.open),
    ignored: BigInt(row.ignored),
    booked: BigInt(row.booked),
    byHand: BigInt(row.byHand),
    refundsUnseen: BigInt(row.refundsUnseen),
  }));
}

/** Returns the latest balance stated for each account. */
export async function closingBalances(
  ctx: Ctx,
): Promise<{ account: string; day: LocalDay; balance: ReturnType<typeof money> }[]> {
  const { rows } = await sql<{
    account: string;
    currency: Currency;
    day: LocalDay;
    minor: bigint;
  }>`select distinct on (account, currency) account, currency, last_day::text as day, closing_minor as minor from bank_statement
    where closing_minor is not null and last_day is not null order by account, currency, last_day desc, uploaded_at desc`.execute(
    ctx.db,
  );
  return rows.map((row) => ({ account: row.account, day: row.day, balance: money(row.minor, row.currency) }));
}

export async function knownAccounts(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{
    account: string;
  }>`select distinct account from bank_statement order by 1 limit 50`.execute(ctx.db);
  return rows.map((row) => row.account);
}
