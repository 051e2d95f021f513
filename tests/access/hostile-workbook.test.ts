// A workbook made to take the console's memory: it is refused, and the console goes on in the same process.
import { expect, it } from 'vitest';
import { zipOf } from '#platform/server/files/zip.ts';
import { spreadsheetType } from '#features/access/users/contract.ts';
import { databaseOfProcesses } from '../support/closing.ts';
import { makeDataDir, setUpProcess, startProcess } from '../support/process.ts';

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
async function workbook(
  rows: readonly string[],
  texts: readonly string[] = [],
  sheets = '<sheet name="A" sheetId="1" r:id="rId1"/>',
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = [];
  for await (const part of zipOf([
    { name: 'xl/workbook.xml', content: [`<workbook xmlns:r="r"><sheets>${sheets}</sheets></workbook>`] },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: [
        `<Relationships><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      ],
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: ['<worksheet><sheetData>', ...rows, '</sheetData></worksheet>'],
    },
    { name: 'xl/sharedStrings.xml', content: ['<sst>', ...texts, '</sst>'] },
  ]))
    parts.push(part);
  return new Uint8Array(Buffer.concat(parts));
}

const firstText = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>';
const hostile = {
  // One list for all columns up to the cell: far more than 16 MB at once, from less than 1 KB.
  'a cell at a column that no sheet has': () => workbook(['<row r="1"><c r="ZZZZZZZ1"><v>1</v></c></row>']),
  'one text of 62 MB': () =>
    workbook([firstText], ['<si><t>', ...Array.from({ length: 62 }, () => 'A'.repeat(1 << 20)), '</t></si>']),
  'a million sheets': () => workbook([], [], '<sheet name="A" sheetId="1" r:id="rId1"/>'.repeat(1_000_000)),
} as const;
const unreadable = {
  zhTW: '無法讀取檔案。請另存為 CSV 或 Excel（.xlsx）後再試。',
  enUS: 'The file can’t be read. Save it as CSV or Excel (.xlsx) and try again.',
};

it('R-ADM-02 a workbook that would exhaust the memory is rejected in the sender’s language, and the console keeps running', async () => {
  const console = await startProcess(makeDataDir(), (await databaseOfProcesses()).url);
  const token = await setUpProcess(console);
  const send = async (body: Uint8Array<ArrayBuffer>, language: string) => {
    const answer = await fetch(`${console.address}/api/admin/users/imports?fileName=users.xlsx`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': spreadsheetType,
        'accept-language': language,
      },
      body,
    });
    return { status: answer.status, ...((await answer.json()) as { code: string; message: string }) };
  };
  for (const [name, make] of Object.entries(hostile)) {
    const body = await make();
    expect(body.length, name).toBeLessThan(200_000);
    const sent = send(body, 'zh-TW');
    // The console answers other requests while it reads the file.
    expect((await fetch(`${console.address}/api/system/status`)).status, name).toBe(200);
    const answer = await sent;
    expect(answer.status, `${name}: ${answer.message}`).toBe(422);
    if (name !== 'a million sheets')
      expect(answer, name).toMatchObject({ code: 'users.import_unreadable', message: unreadable.zhTW });
    // A large file takes seconds, so the sender’s language is tested with a small one.
    if (name === 'a cell at a column that no sheet has')
      expect(await send(body, 'en-US'), name).toMatchObject({ status: 422, message: unreadable.enUS });
    expect((await fetch(`${console.address}/api/system/status`)).status, name).toBe(200);
  }
  expect(console.process.exitCode).toBeNull();
  expect(console.process.signalCode).toBeNull();
}, 120_000);
