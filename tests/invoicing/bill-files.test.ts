// Bills as files: the long CSV that the database writes equals the spreadsheet of the same bills, whatever
// the names.
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { withoutGuard } from '#platform/server/files/csv.ts';
import { readSheet } from '#platform/server/files/spreadsheet-read.ts';
import {
  at,
  billOf,
  close,
  credit,
  customer,
  db,
  fee,
  moveTo,
  net,
  october,
  september,
  startBilling,
  use,
  type Customer,
} from '../support/corrections.ts';

let plain: Customer, odd: Customer;

beforeAll(async () => {
  await startBilling();
  plain = await customer(fee('100'));
  odd = await customer(fee('100'), fee('7.50', 'USD'), fee('0.125', 'KWD'));
  await sql`update organization set name = ${'=HYPERLINK("http://x.example","台灣, 雲端")'} where id = ${odd.organizationId}`.execute(
    db(),
  );
  const named = [`－"quoted", 服務`, "'@sum\nof two lines", '+886 Object Storage'];
  for (const [index, name] of named.entries())
    await sql`update service set name = ${name} where name = ${`S2-${index}`}`.execute(db());
  await moveTo('2024-09-20T00:00:00Z');
  for (const one of [plain, odd]) await use(one, 'used', '12.345', '2024-09-10T00:00:00Z');
  await moveTo('2024-10-05T00:00:00Z');
  await close(september);
  await use(odd, 'late', '3', '2024-09-12T00:00:00Z', {}, 1);
  await moveTo('2024-11-05T00:00:00Z');
  await close(october);
  await credit(await billOf(plain), net(10));
  await at.console.ok(
    credits.voidBill,
    { billId: (await billOf(plain, october)).id, reason: 'wrong' },
    { token: at.admin },
  );
});

type Query = { readonly month?: BillingMonth; readonly q?: string; readonly language?: 'zhTW' | 'enUS' };
async function fileOf(format: 'csv' | 'xlsx', query: Query): Promise<Buffer> {
  const { body } = (await at.console.ok(
    billing.adminExportBills,
    { format, ...query },
    { token: at.admin },
  )) as unknown as { body: Uint8Array };
  return Buffer.from(body);
}
const rowsOf = (csv: Buffer): string[][] => parse(csv.toString('utf8'), { bom: true });
const filled = (rows: readonly string[][], width: number): string[][] =>
  rows.map((row) => [...row, ...Array.from({ length: width - row.length }, () => '')]);
const all: readonly Query[] = (['zhTW', 'enUS'] as const).flatMap((language) => [
  { language },
  { language, month: september },
  { language, month: october },
  { language, q: 'HYPERLINK' },
]);

describe('R-BILL-04, R-BILL-05: bills as a table', () => {
  it('are equal as CSV and as a spreadsheet, in both languages, with corrections', async () => {
    for (const query of all) {
      const csv = rowsOf(await fileOf('csv', query));
      const sheet = await readSheet(await fileOf('xlsx', query), {
        maxRows: 1000,
        maxColumns: 100,
        maxBytes: 1024 ** 2,
      });
      expect(csv.map((row) => row.map(withoutGuard))).toEqual(filled(sheet, csv[0]?.length ?? 0));
      expect(csv.length).toBeGreaterThan(4);
    }
  });

  it('describe every kind of line', async () => {
    const [header = [], ...rows] = rowsOf(await fileOf('csv', { language: 'enUS' }));
    const shown = rows.map((row) =>
      ['Month', 'State', 'Kind', 'Usage of', 'Quantity', 'Unit', 'Unit price', 'Amount', 'Currency']
        .map((name) => row[header.indexOf(name)])
        .join(' | '),
    );
    expect(header).toEqual(
      expect.arrayContaining([
        'Month',
        'State',
        'Kind',
        'Usage of',
        'Quantity',
        'Unit',
        'Unit price',
        'Amount',
        'Currency',
      ]),
    );
    for (const line of [
      '2024-09 | Open | Base fee |  | 1 | month | 7.5 | 7.50 | USD',
      '2024-09 | Open | Base fee |  | 1 | month | 0.125 | 0.125 | KWD',
      '2024-09 | Open | Usage |  | 12.345 | calls |  | 12 | TWD',
      '2024-09 | Open | Tax |  |  |  |  | 0.38 | USD',
      '2024-10 | Open | Adjustment of an earlier month | 2024-09 | 3 | calls |  | 3.00 | USD',
      '2024-10 | Reversed by voiding | Base fee | 2024-10 |  |  |  | -100 | TWD',
      '2024-10 | Void | Base fee |  | 1 | month | 100 | 100 | TWD',
    ])
      expect(shown).toContain(line);
    expect(shown.filter((line) => line.includes('| Credit note |')).length).toBeGreaterThan(1);
  });

  it('contain no cell that runs as a formula', async () => {
    const texts = rowsOf(await fileOf('csv', {}))
      .flat()
      .filter((cell) => !/^-?\d+(\.\d+)?$/.test(cell));
    expect(texts.filter((cell) => /^[=+\-@＝＋－＠\t\r\n]/.test(cell))).toEqual([]);
    expect(new Set(texts.filter((cell) => cell.startsWith("'")))).toEqual(
      new Set([
        `'=HYPERLINK("http://x.example","台灣, 雲端")`,
        `'－"quoted", 服務`,
        "''@sum\nof two lines",
        "'+886 Object Storage",
      ]),
    );
  });

  it('announce the number of rows, also for bills of earlier versions', async () => {
    const rowCounts = async (): Promise<[string | null, number]> => {
      const answer = await fetch(`${at.console.address}/api/admin/bills/export?format=csv`, {
        headers: { authorization: `Bearer ${at.admin}` },
      });
      return [answer.headers.get('x-total-rows'), rowsOf(Buffer.from(await answer.arrayBuffer())).length - 1];
    };
    const [totalRows, found] = await rowCounts();
    expect(totalRows).toBe(String(found));
    await sql`alter table bill disable trigger bill_fixed`.execute(db());
    const { numAffectedRows } =
      await sql`update bill set line_count = null where month = ${september}`.execute(db());
    await sql`alter table bill enable trigger bill_fixed`.execute(db());
    expect(numAffectedRows).toBe(4n);
    expect(await rowCounts()).toEqual([totalRows, found]);
  });
});
