// Checks workbooks by their bytes: texts stay texts, figures keep all digits, and rows are read lazily.
import { crc32, inflateRawSync } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { figure, type CsvCell } from './csv.ts';
import { xlsxOf } from './spreadsheet.ts';
import { zipOf } from './zip.ts';

/** The files of an archive by its directory, with their checksums verified. */
function unzip(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  let at = archive.readUInt32LE(end + 16);
  const files = new Map<string, string>();
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [crc, packed, size, nameLength, offset] = [
      archive.readUInt32LE(at + 16),
      archive.readUInt32LE(at + 20),
      archive.readUInt32LE(at + 24),
      archive.readUInt16LE(at + 28),
      archive.readUInt32LE(at + 42),
    ];
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const data = inflateRawSync(
      archive.subarray(offset + 30 + nameLength, offset + 30 + nameLength + packed),
    );
    expect([crc32(data), data.length], name).toEqual([crc, size]);
    files.set(name, data.toString('utf8'));
    at += 46 + nameLength;
  }
  return files;
}
const sheetOf = async (rows: readonly (readonly CsvCell[])[]): Promise<string> =>
  unzip(await buffer(xlsxOf('服務', rows[0]?.map((_, index) => `c${index}`) ?? [], rows))).get(
    'xl/worksheets/sheet1.xml',
  ) ?? '';

test('an archive contains what was put in, whatever its length', async () => {
  const long = Array.from({ length: 3000 }, (_, index) => `第 ${index} 段，`.repeat(20));
  const files = unzip(
    await buffer(
      zipOf([
        { name: '中文.txt', content: long },
        { name: 'empty', content: [] },
      ]),
    ),
  );
  expect([...files]).toEqual([
    ['中文.txt', long.join('')],
    ['empty', ''],
  ]);
});

test('bytes are stored uncompressed, and an archive may have more files than the old format can count', async () => {
  const entries = Array.from({ length: 65_600 }, (_, index) => ({
    name: `${index}.pdf`,
    content: Buffer.from(String(index)),
  }));
  const archive = await buffer(zipOf(entries));
  const end = archive.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  expect(archive.readUInt16LE(end + 10)).toBe(0xffff);
  const end64 = Number(archive.readBigUInt64LE(end - 20 + 8));
  expect([archive.readUInt32LE(end64), archive.readBigUInt64LE(end64 + 32)]).toEqual([0x0606_4b50, 65_600n]);
  expect(archive.toString('latin1', 30, 36)).toBe('0.pdf0');
  expect(archive.readUInt32LE(14)).toBe(crc32('0'));
});

test('a text that looks like a formula or a number stays a text', async () => {
  const sheet = await sheetOf([['=1+1', '0012', '<&>"\r', '_x0041_', '＝SUM']]);
  expect(sheet).not.toContain('<f>');
  expect(
    [...sheet.matchAll(/<c r="[A-E]2" t="inlineStr" s="2"><is><t xml:space="preserve">([^<]*)<\/t>/g)].map(
      (match) => match[1],
    ),
  ).toEqual(['=1+1', '0012', '&lt;&amp;&gt;"_x000D_', '_x005F_x0041_', '＝SUM']);
});

test('a figure is a number that shows all its digits, or a text where a number would lose some', async () => {
  const sheet = await sheetOf([
    [
      figure('0.000000000001'),
      figure('-12.50'),
      figure('999999999999999'),
      figure('1234567890123456'),
      figure('123456.7890123456'),
    ],
  ]);
  expect([...sheet.matchAll(/<c r="[A-E]2"[^>]*>.*?<\/c>/g)].map(([cell]) => cell)).toEqual([
    '<c r="A2" s="15"><v>0.000000000001</v></c>',
    '<c r="B2" s="5"><v>-12.50</v></c>',
    '<c r="C2" s="3"><v>999999999999999</v></c>',
    '<c r="D2" t="inlineStr" s="2"><is><t xml:space="preserve">1234567890123456</t></is></c>',
    '<c r="E2" t="inlineStr" s="2"><is><t xml:space="preserve">123456.7890123456</t></is></c>',
  ]);
});

test('rows are read on demand, and not after the reader has gone', async () => {
  let taken = 0;
  let isClosed = false;
  async function* endless(): AsyncGenerator<readonly CsvCell[]> {
    try {
      for (;;) yield [figure(BigInt(taken++)), `文字 ${Math.imul(taken, 2_654_435_761)}`.repeat(20)];
    } finally {
      isClosed = true;
    }
  }
  const chunks = xlsxOf('t', ['n', 'text'], endless());
  for (let left = 40; left > 0; left--) await chunks.next();
  const before = taken;
  expect(before).toBeLessThan(20_000);
  await chunks.return();
  await expect.poll(() => isClosed).toBe(true);
});
