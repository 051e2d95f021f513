// CSV lines formatted by the database equal, byte for byte, those of the console.
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { currencyCodes, money, moneyText } from '#kernel/money.ts';
import { csvOf } from '../files/csv.ts';
import { majorUnits, tableOf, type TableColumn } from './table-columns.ts';
import { createTestDatabase } from '#tests/support/database.ts';

const { kysely } = await createTestDatabase({ max: 1 });

type Row = {
  readonly first: string | null;
  readonly second: string | null;
  readonly number: string | null;
  readonly kind: string | null;
};
const columns: readonly TableColumn[] = [
  { text: sql`r.first` },
  { figure: sql`r.number::numeric` },
  { word: sql`r.kind`, labels: { tax: '稅額, "5%"', usage: '=用量' } },
  { text: sql`r.second` },
  { code: sql`'B-' || r.place` },
];

/** The same rows written by the database, and cell by cell. */
async function both(rows: readonly Row[]): Promise<{ lines: string; cells: string }> {
  const of = (key: keyof Row) => sql`${rows.map((row) => row[key])}::text[]`;
  const from = sql`(select * from unnest(${of('first')}, ${of('second')}, ${of('number')}, ${of('kind')}) with ordinality as r (first, second, number, kind, place) order by place) r`;
  const { query, cells, lines } = tableOf(columns, from);
  let text = '';
  for await (const chunk of csvOf(['a', 'b', 'c', 'd', 'e'], (await query.execute(kysely)).rows.map(cells)))
    text += chunk;
  return {
    lines: ((await lines?.execute(kysely))?.rows ?? []).map(({ line }) => line).join(''),
    cells: text.slice(text.indexOf('\n') + 1),
  };
}

test('R-BILL-04: any texts are escaped and quoted alike', async () => {
  const signs = fc.constantFrom(
    '"',
    ',',
    '\r',
    '\n',
    '\t',
    "'",
    '=',
    '+',
    '-',
    '@',
    '＝',
    '＋',
    '－',
    '＠',
    '\u0001',
    '\\',
    ' ',
    '中',
    '𠮷',
    'a',
    '0',
  );
  const texts = fc.option(
    fc.oneof(
      fc.string({ unit: signs, maxLength: 8 }),
      fc.string({ unit: 'grapheme' }).map((text) => text.toWellFormed().replaceAll('\0', '')),
    ),
  );
  const numbers = fc.option(
    fc
      .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(12))
      .map(([digits, places]) => `${digits}${places === 0 ? '' : `.${'7'.repeat(places)}`}`),
  );
  const row = fc.record({
    first: texts,
    second: texts,
    number: numbers,
    kind: fc.option(fc.constantFrom('tax', 'usage', 'another')),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 30 }), async (rows) => {
      const { lines, cells } = await both(rows);
      expect(lines).toBe(cells);
    }),
    { numRuns: 100 },
  );
});

test('formulas and line breaks, in the first text of a row and in a later one', async () => {
  for (const text of [
    '=1+1',
    "'=1",
    "''@x",
    '+886',
    '-1',
    '＝1',
    '\t=1',
    'a,b',
    'say "yes"',
    'two\nlines',
    '=HYPERLINK("x","y")',
  ]) {
    for (const row of [
      { first: text, second: '好' },
      { first: '好', second: text },
      { first: null, second: text },
    ]) {
      const { lines, cells } = await both([{ ...row, number: '-12.50', kind: 'tax' }]);
      expect(lines).toBe(cells);
    }
  }
  expect((await both([{ first: '=a"b', second: null, number: '1.50', kind: 'usage' }])).lines).toBe(
    '"\'=a""b",1.50,\'=用量,,B-1\r\n',
  );
});

test('amounts have all the digits of their currency, whatever their sign', async () => {
  const amounts = currencyCodes.flatMap((currency) =>
    [0n, 1n, -5n, 1280n, -123456789012345678n].map((minor) => money(minor, currency)),
  );
  const { rows } = await sql<{
    said: string;
  }>`select (${majorUnits(sql`a.minor`, sql`a.currency`)})::text as said
    from unnest(${amounts.map(({ minor }) => minor)}::bigint[], ${amounts.map(({ currency }) => currency)}::char(3)[]) with ordinality as a (minor, currency, place) order by place`.execute(
    kysely,
  );
  expect(rows.map(({ said }) => said)).toEqual(amounts.map(moneyText));
});
