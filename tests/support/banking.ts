// Checks of the books after every bank statement test, and statements in the banks' format.
import { sql } from 'kysely';
import { expect } from 'vitest';
import { banking } from '#features/receivables/banking/contract.ts';
import { twd, type PaymentApp } from './payments.ts';

/**
 * Cash is what rows and other payments brought in, less refunds; receivables are what is due; nothing is
 * negative (I1, I5, I7).
 */
export async function booksAgree(app: PaymentApp): Promise<void> {
  const { rows } = await sql<{ name: string; minor: bigint }>`
    select 'sum' as name, coalesce(sum(amount_minor), 0)::bigint as minor from ledger_entry
    union all select 'receivable', coalesce((select sum(balance_minor) from ledger_account where kind = 'receivable'), 0)::bigint - coalesce((select sum(total_minor - paid_minor - credited_minor) from bill where state = 'open'), 0)::bigint
    union all select 'cash', coalesce((select sum(balance_minor) from ledger_account where kind = 'cash'), 0)::bigint - coalesce((select sum(received_minor) from payment where method <> 'balance'), 0)::bigint + coalesce((select sum(amount_minor) from payment_refund where state = 'succeeded'), 0)::bigint
    union all select 'applied', coalesce((select sum(amount_minor) from bank_row where state = 'applied' and amount_minor > 0), 0)::bigint - coalesce((select sum(p.received_minor) from bank_application a join payment p on p.id = a.payment_id where a.undone_at is null), 0)::bigint
    union all select 'below zero', count(*) from ledger_account where kind = 'balance' and balance_minor > 0
    union all select 'paid', count(*) from bill b where b.total_minor > 0 and b.paid_minor <> coalesce((select sum(to_bill_minor) from payment p where p.bill_id = b.id), 0)`.execute(
    app.app.database.kysely,
  );
  expect(Object.fromEntries(rows.map((row) => [row.name, Number(row.minor)]))).toEqual({
    sum: 0,
    receivable: 0,
    cash: 0,
    applied: 0,
    'below zero': 0,
    paid: 0,
  });
  const { lines } = await app.ok(banking.bankOverview, {}, { token: app.admin });
  for (const line of lines) expect(line.difference).toEqual(twd(0));
}

/** A row of a statement. */
export type Line = readonly [day: string, words: string, debit: string, credit: string, balance?: string];
/** Formats a statement with these rows. */
export const csvOf = (lines: readonly Line[]): string =>
  `交易日期,摘要,支出,存入,餘額\n${lines.map(([day, words, debit, credit, balance = '']) => `${day},"${words.replaceAll('"', '""')}",${debit},"${credit}",${balance}`).join('\n')}\n`;
