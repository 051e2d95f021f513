// Spreadsheets read CSV files as intended, whatever their cells contain.
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvOf, figure, withoutGuard, type CsvCell } from './csv.ts';

const whole = (header: readonly string[], rows: Iterable<readonly CsvCell[]>): Promise<string> =>
  text(csvOf(header, rows));
const read = (csv: string): string[][] => parse(csv, { bom: true, relax_column_count: false });

test('begins with a byte order mark, and ends each line as in RFC 4180', async () => {
  expect(await whole(['服務', '金額'], [['物件儲存', figure('1280')]])).toBe(
    '\uFEFF服務,金額\r\n物件儲存,1280\r\n',
  );
  expect(await whole(['服務'], [])).toBe('\uFEFF服務\r\n');
});

test.each([
  '=1+1',
  '+886 2 2345',
  '-1',
  '@sum',
  '\t=1',
  '\r=1',
  '\n=1',
  '\0=1',
  '＝1',
  '＋1',
  '－1',
  '＠1',
  "=cmd|'/C calc'!A0",
])('a text that a spreadsheet would run is escaped: %j', async (text) => {
  expect(read(await whole(['a'], [[text]]))[1]).toEqual([`'${text}`]);
});

test('the header is escaped, too', async () => {
  expect(read(await whole(['=a'], []))[0]).toEqual([`'=a`]);
});

test('figures stay numbers, including minus and all digits', async () => {
  const [, row] = read(
    await whole(
      ['a', 'b', 'c'],
      [[figure('-12.50'), figure('0.000000000001'), figure(90071992547409931234n)]],
    ),
  );
  expect(row).toEqual(['-12.50', '0.000000000001', '90071992547409931234']);
});

test.each(['', '1e3', '=1', ' 1', '1\n', '1,5', 'NaN', '--1', '+1'])('%j is not a figure', (text) => {
  expect(() => figure(text)).toThrow('a figure is a decimal');
});

test('a row with a missing or extra cell is an error', async () => {
  await expect(whole(['a', 'b'], [['only one']])).rejects.toThrow('a row has a cell for each column');
});

test('any texts read back unchanged once the escape is removed', async () => {
  const texts = fc.string({
    unit: fc.oneof(
      fc.constantFrom('"', ',', '\r', '\n', "'", '=', '-', '，', '中', ' '),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(texts, texts), { minLength: 1, maxLength: 20 }), async (rows) => {
      const [, ...found] = read(await whole(['a', 'b'], rows));
      expect(found.map((row) => row.map(withoutGuard))).toEqual(rows);
    }),
  );
});

test('rows are read on demand, never all at once', async () => {
  let taken = 0;
  function* endless(): Generator<readonly CsvCell[]> {
    for (;;) yield [figure(BigInt(taken++)), 'x'.repeat(80)];
  }
  const chunks = csvOf(['n', 'text'], endless());
  await chunks.next();
  const afterFirst = taken;
  await chunks.next();
  expect(afterFirst).toBeLessThan(1000);
  expect(taken).toBeLessThan(2000);
  await chunks.return();
});
