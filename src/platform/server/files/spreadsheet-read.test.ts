// Reading Excel workbooks: our own, those of other programs, and files that are not workbooks.
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { readSheet, UnreadableSheet } from './spreadsheet-read.ts';
import { xlsxOf } from './spreadsheet.ts';
import { zipOf } from './zip.ts';

const bounds = { maxRows: 100, maxColumns: 10, maxBytes: 1_000_000 };
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const workbook = (sheet: string, shared = '', name = 'worksheets/sheet1.xml'): Promise<Buffer> =>
  buffer(
    zipOf([
      {
        name: 'xl/workbook.xml',
        content: [
          '<workbook xmlns:r="r"><sheets><sheet name="A" sheetId="1" r:id="rId7"/><sheet name="B" sheetId="2" r:id="rId8"/></sheets></workbook>',
        ],
      },
      {
        name: 'xl/_rels/workbook.xml.rels',
        content: [
          `<Relationships><Relationship Type="${relations}/worksheet" Target="worksheets/other.xml" Id="rId8"/><Relationship Id="rId7" Type="${relations}/worksheet" Target="${name}"/></Relationships>`,
        ],
      },
      { name: `xl/${name}`, content: [`<worksheet><sheetData>${sheet}</sheetData></worksheet>`] },
      {
        name: 'xl/worksheets/other.xml',
        content: [
          '<worksheet><sheetData><row r="1"><c r="A1"><v>wrong</v></c></row></sheetData></worksheet>',
        ],
      },
      { name: 'xl/sharedStrings.xml', content: [`<sst>${shared}</sst>`] },
    ]),
  );

describe('R-ADM-02 a workbook', () => {
  it.each([
    [['=1+1', 'a & <b>', '_x0041_', "'quoted'", '一\n二', '', 'end\r\n']],
    [['😀', ' spaces ', '&amp;', '"', '0', '00912', 'x']],
  ])('that we wrote is unchanged: %j', async (row) => {
    const header = row.map((_, index) => `c${index}`);
    expect(await readSheet(await buffer(xlsxOf('Test', header, [row])), bounds)).toEqual([header, row]);
  });

  it('of other programs: shared and rich texts, numbers, results of formulas, gaps, the first sheet by its relation', async () => {
    const shared =
      '<si><t>name</t></si><si><r><rPr><b/></rPr><t>帳務</t></r><r><t xml:space="preserve"> 聯絡人</t></r><rPh sb="0" eb="1"><t>Billing</t></rPh></si>';
    const sheet =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="str"><f>"a"&amp;"b"</f><v>ab</v></c></row><row r="3"><c r="B3" t="s"><v>1</v></c><c r="C3"><v>42.5</v></c><c r="D3" t="b"><v>1</v></c><c r="E3"/></row>';
    expect(await readSheet(await workbook(sheet, shared, 'worksheets/first.xml'), bounds)).toEqual([
      ['name', '', 'ab'],
      [],
      ['', '帳務 聯絡人', '42.5', 'true'],
    ]);
  });

  it('with too many rows returns one row more than allowed, however far away the last one is', async () => {
    expect(
      await readSheet(
        await workbook(
          '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="A1048576"><v>1</v></c></row>',
        ),
        bounds,
      ),
    ).toHaveLength(101);
  });

  it.each([
    ['no archive', async () => Buffer.from('name,account\n')],
    ['nothing', async () => Buffer.alloc(0)],
    ['a truncated archive', async () => (await workbook('')).subarray(20)],
    ['too many columns', () => workbook('<row r="1"><c r="ZZ1"><v>1</v></c></row>')],
    [
      'its own entities',
      async () =>
        buffer(
          zipOf([
            { name: 'xl/worksheets/sheet1.xml', content: ['<!DOCTYPE x [<!ENTITY a "b">]><worksheet/>'] },
          ]),
        ),
    ],
    [
      'a bomb',
      async () =>
        buffer(
          zipOf([
            {
              name: 'xl/worksheets/sheet1.xml',
              content: Array.from({ length: 200 }, () => ' '.repeat(100_000)),
            },
          ]),
        ),
    ],
    ['an archive without a sheet', async () => buffer(zipOf([{ name: 'a.txt', content: ['x'] }]))],
  ])('%s is rejected', async (_name, make) => {
    await expect(readSheet(await make(), bounds)).rejects.toThrow(UnreadableSheet);
  });
});
