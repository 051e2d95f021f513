// Journals of a test console: everything mapped, files as texts, and the invariants that always hold.
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { moneyText } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { accountKinds } from '#features/invoicing/ledger/contract.ts';
import { accounting, type JournalFormat } from '#features/reporting/accounting/contract.ts';
import type { TestConsole } from './console.ts';

type Books = Pick<TestConsole, 'ok' | 'app'>;

/** Maps every ledger account as a whole: `1001 cash` and so on. */
export async function mapAll({ ok }: Books, token: string): Promise<void> {
  for (const [index, accountKind] of accountKinds.entries())
    await ok(
      accounting.saveMapping,
      {
        accountKind,
        currency: null,
        taxRate: null,
        serviceId: null,
        code: String(1001 + index),
        name: accountKind,
        department: '',
        taxName: '',
      },
      { token },
    );
}

/** Also maps the revenue of each service and the tax of each rate individually. */
export async function mapParts({ ok }: Books, token: string): Promise<void> {
  const { services, taxRates } = await ok(accounting.listMappings, {}, { token });
  const none = { currency: null, department: '', taxName: '' } as const;
  for (const [index, { id, name }] of services.entries())
    await ok(
      accounting.saveMapping,
      { ...none, accountKind: 'revenue', taxRate: null, serviceId: id, code: String(4001 + index), name },
      { token },
    );
  for (const taxRate of taxRates)
    await ok(
      accounting.saveMapping,
      { ...none, accountKind: 'tax', taxRate, serviceId: null, code: `2${taxRate}`, name: `${taxRate}%` },
      { token },
    );
}

/** A file of an export, as text without its byte order mark. */
export async function journalFile(
  { ok }: Books,
  token: string,
  exportId: Id<'jex'>,
  format: JournalFormat,
  more: object = {},
): Promise<string> {
  const { body } = await ok(accounting.downloadJournal, { exportId, format, ...more }, { token });
  return new TextDecoder('utf-8').decode(body as Uint8Array);
}
/** The cells of a file by row; the first row has the column names. */
export const rowsOf = (text: string): string[][] => parse(text);

/**
 * Exports months and checks that everything adds up: each voucher balances in its currency; and for each
 * account, the exported movements plus the pending ones equal the change of the ledger's balance.
 */
export async function expectJournalsMatch(
  console: Books,
  token: string,
  months: readonly BillingMonth[],
): Promise<void> {
  const { ok } = console;
  for (const period of months) {
    const before = await ok(accounting.previewJournal, { period }, { token });
    expect(before.unmapped, period).toEqual([]);
    expect(
      before.proof.filter(({ isEqual }) => !isEqual),
      period,
    ).toEqual([]);
    if (before.transactions === 0 || !before.isOver) continue;
    const made = await ok(accounting.makeJournal, { period }, { token });
    const rows = rowsOf(await journalFile(console, token, made.id, 'csv', {})).slice(1);
    // For each voucher, debits equal credits, in one currency.
    for (const [voucher, own] of Map.groupBy(rows, ([number]) => number)) {
      const sum = (column: number) => own.reduce((all, cells) => all + minorOf(cells[column] ?? ''), 0n);
      expect([voucher, sum(6), new Set(own.map((cells) => cells[8])).size]).toEqual([voucher, sum(7), 1]);
    }
    const detail = await ok(accounting.getJournal, { exportId: made.id }, { token });
    expect([detail.vouchers, detail.lines, detail.transactions, detail.accounts], period).toEqual([
      before.vouchers,
      before.lines,
      before.transactions,
      before.accounts,
    ]);
    const after = await ok(accounting.previewJournal, { period }, { token });
    expect(
      after.proof.filter(({ isEqual }) => !isEqual),
      period,
    ).toEqual([]);
    expect(
      after.proof.map(({ exported, ledger }) => [moneyText(exported), moneyText(ledger)]),
      period,
    ).toEqual(after.proof.map(({ ledger }) => [moneyText(ledger), moneyText(ledger)]));
    expect(after.transactions, period).toBe(0);
  }
  await expectSoundJournals(console);
}
const minorOf = (text: string): bigint => BigInt(text === '' ? '0' : text.replace('.', ''));

/** Checks in the database alone: the lines of an export equal the entries of its transactions, by account and day. */
export async function expectSoundJournals({ app }: Pick<Books, 'app'>): Promise<void> {
  const { rows } = await sql<{ wrong: string }>`
    select 'account ' || export_id || ' ' || day || ' ' || kind || ' ' || account_kind || ' ' || currency as wrong from (
      select v.export_id, v.day::text as day, v.kind, l.account_kind, v.currency, l.debit_minor - l.credit_minor as minor from journal_voucher v join journal_export x on x.id = v.export_id and x.withdrawn_at is null join journal_line l on l.export_id = v.export_id and l.voucher = v.position
      union all select j.export_id, to_char(t.at at time zone x.time_zone, 'YYYY-MM-DD'), t.kind, a.kind, e.currency, -e.amount_minor from journal_exported j join journal_export x on x.id = j.export_id join ledger_transaction t on t.id = j.transaction_id join ledger_entry e on e.transaction_id = t.id join ledger_account a on a.id = e.account_id
    ) parts group by export_id, day, kind, account_kind, currency having sum(minor) <> 0
    union all select 'withdrawn ' || export_id from journal_exported j join journal_export x on x.id = j.export_id where x.withdrawn_at is not null
    union all select 'voucher ' || export_id || ' ' || voucher from journal_line group by export_id, voucher having sum(debit_minor) <> sum(credit_minor)`.execute(
    app.database.kysely,
  );
  expect(rows).toEqual([]);
}

/** A day as the API takes it. */
export const dayOf = (text: string): LocalDay => text as LocalDay;
