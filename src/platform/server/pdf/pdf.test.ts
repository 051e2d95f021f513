// Documents are drawn in a separate process, with their fonts embedded, and leave no temporary files behind.
import { afterEach, expect, test } from 'vitest';
import type { PdfDocument, PdfNode, PdfStyle } from './pdf-document.ts';
import { makePdfRenderer, type PdfLimits, type PdfRenderer } from './pdf.ts';
import { pdfPages } from '#tests/support/pdf.ts';

const made: PdfRenderer[] = [];
function renderer(limits?: Partial<PdfLimits>): PdfRenderer {
  const one = makePdfRenderer(limits);
  made.push(one);
  return one;
}
afterEach(async () => {
  for (const one of made.splice(0)) await one.close();
});

function page(...children: readonly PdfNode[]): PdfDocument {
  return {
    title: '帳單 B-1',
    author: 'Skytally',
    language: 'zh-Hant-TW',
    createdAt: new Date('2026-11-20T05:43:12Z'),
    style: { padding: 40 },
    children,
  };
}
const words = (text: string, bold = false): PdfNode => ({
  kind: 'text',
  text,
  style: bold ? { fontWeight: 700 } : {},
});

test('R-BILL-04: Chinese text can be read and copied, its fonts are embedded as subsets', async () => {
  const bytes = await renderer().render(page(words('物件儲存與資料庫'), words('含稅總額 NT$1,234', true)));
  expect(await pdfPages(bytes)).toEqual(['物件儲存與資料庫 含稅總額 NT$1,234']);
  const file = Buffer.from(bytes).toString('latin1');
  expect([...file.matchAll(/\/FontName \/([A-Z]{6})\+(\S+)/g)].map((match) => match[2]).toSorted()).toEqual([
    'NotoSansTC-Bold',
    'NotoSansTC-Regular',
  ]);
  expect(file.match(/\/FontFile2 /g)).toHaveLength(2);
  expect(file.match(/\/ToUnicode /g)).toHaveLength(2);
  // The two complete fonts take 14 MB.
  expect(bytes.length).toBeLessThan(60_000);
});

test('pages are A4, or have the size that a document requests', async () => {
  const box = async (document: PdfDocument): Promise<string | undefined> =>
    /\/MediaBox \[([^\]]+)\]/.exec(Buffer.from(await renderer().render(document)).toString('latin1'))?.[1];
  expect(await box(page(words('帳單')))).toBe('0 0 595.280029 841.890015');
  expect(await box({ ...page(words('證明聯')), size: [161.57, 255.12] })).toBe('0 0 161.570007 255.119995');
});

test('the same document gives the same bytes', async () => {
  const one = renderer();
  const document = page(words('帳單'));
  expect(Buffer.from(await one.render(document)).equals(Buffer.from(await one.render(document)))).toBe(true);
});

test('earlier documents do not affect later ones: the first of a process has the same bytes as a later one', async () => {
  const document = page(
    words('物件儲存 Object Storage 820 GB', true),
    words('物件儲存 NT$1,234'),
    words('AVATAR fi 100%'),
  );
  const one = renderer();
  for (const text of ['物件儲存 NT$1,234', '物件儲存 Object Storage 820 GB', '其他', 'AVATAR fi 100%'])
    await one.render(page(words(text), words(text, true)));
  const [later, first] = [await one.render(document), await renderer().render(document)];
  expect(Buffer.from(later).equals(Buffer.from(first))).toBe(true);
});

test('characters without a font are a box or lose their accent; they never hide their neighbors', async () => {
  const [text] = await pdfPages(
    await renderer().render(page(words('😀𠮷野家 Łódž\u{1F468}\u200D\u{1F469} \uD800 ₹5 一\u2009二\r\n三'))),
  );
  expect(text).toBe('□□野家 □ódz□□ □ INR 5 一 二 三');
});

test('repeated content is on every page, with the page and the number of pages', async () => {
  const foot: PdfNode = {
    kind: 'box',
    repeated: true,
    style: { position: 'absolute', bottom: 20, left: 40, right: 40 },
    children: [{ kind: 'text', text: 'page {{page}} of {{pages}}' }],
  };
  const table: PdfNode = {
    kind: 'box',
    children: [
      { kind: 'box', repeated: true, children: [words('HEAD')] },
      ...Array.from({ length: 120 }, (_, index) => words(`row ${index}.`)),
    ],
  };
  const pages = await pdfPages(await renderer().render(page(foot, table)));
  expect(pages.length).toBe(3);
  for (const [index, text] of pages.entries()) {
    expect(text).toContain(`page ${index + 1} of 3`);
    expect(text.match(/HEAD/g)).toHaveLength(1);
  }
  for (let row = 0; row < 120; row++)
    expect(pages.filter((text) => text.includes(`row ${row}.`))).toHaveLength(1);
});

/** This many rows of one height, in a box that continues on the next page. */
const rows = (count: number, style: PdfStyle, head?: PdfNode): PdfNode => ({
  kind: 'box',
  style: { backgroundColor: '#EEEEEE' },
  children: [
    ...(head ? [head] : []),
    ...Array.from({ length: count }, (_, index): PdfNode => ({
      kind: 'box',
      style,
      avoidsPageBreak: true,
      children: [words(`row ${index}.`)],
    })),
  ],
});

test('nothing is lost at a page break: rows stay whole, long texts and boxes higher than a page continue', async () => {
  const long = Array.from({ length: 200 }, (_, index) => `line ${index}.`).join('\n');
  const high: PdfNode = {
    kind: 'box',
    style: { flexDirection: 'row' },
    children: [words(long.replaceAll('line', 'left')), words(long.replaceAll('line', 'right'))],
  };
  const pages = await pdfPages(
    await renderer().render(page(rows(9, { height: 300 }), words(long), high, words('the end'))),
  );
  const all = pages.join(' ');
  for (let index = 0; index < 9; index++) expect(pages[Math.floor(index / 2)]).toContain(`row ${index}.`);
  for (let index = 0; index < 200; index++)
    for (const word of ['line', 'left', 'right']) expect(all.split(`${word} ${index}.`)).toHaveLength(2);
  expect(pages.at(-1)).toContain('the end');
});

test('a heading is never alone at the end of a page', async () => {
  const head: PdfNode = { kind: 'box', repeated: true, children: [words('HEAD')] };
  const pages = await pdfPages(
    await renderer().render(
      page(
        { kind: 'box', style: { height: 700 }, children: [words('before')] },
        rows(3, { height: 300 }, head),
      ),
    ),
  );
  expect(pages).toEqual(['before', 'HEAD row 0. row 1.', 'HEAD row 2.']);
});

test('one process renders all documents, and ends when it has been idle', async () => {
  const one = renderer({ idleMs: 1 });
  expect(one.processId()).toBeUndefined();
  const drawn = await Promise.all(
    ['一', '二', '三'].map(async (text) => {
      const bytes = await one.render(page(words(text)));
      return (await pdfPages(bytes))[0];
    }),
  );
  expect(drawn).toEqual(['一', '二', '三']);
  await expect.poll(() => one.processId()).toBeUndefined();
  expect(await pdfPages(await one.render(page(words('四'))))).toEqual(['四']);
});

test('when the process dies, its document fails and the next one starts another process', async () => {
  const one = renderer();
  await one.render(page(words('一')));
  const first = one.processId();
  const [lost, waiting] = [one.render(page(words('二'))), one.render(page(words('三')))];
  process.kill(first ?? 0, 'SIGKILL');
  await expect(lost).rejects.toThrow('a guarded process ended (SIGKILL)');
  expect(await pdfPages(await waiting)).toEqual(['三']);
  expect(one.processId()).not.toBe(first);
});

test('a document that cannot be rendered reports why and affects no other', async () => {
  const one = renderer();
  const broken: PdfNode = {
    kind: 'drawing',
    viewBox: [1, 1],
    style: { width: Number.NaN, height: 1e300 },
    paths: [{ d: 'M0 0L1e300 1e300', stroke: '#000000' }],
  };
  await expect(one.render(page(broken))).rejects.toThrow('a document could not be drawn');
  expect(await pdfPages(await one.render(page(words('好'))))).toEqual(['好']);
});

test('too many waiting documents are rejected, and a document that takes too long is aborted', async () => {
  const full = renderer({ maxWaiting: 1 });
  const [drawn, waiting, refused] = [
    full.render(page(words('一'))),
    full.render(page(words('二'))),
    full.render(page(words('三'))),
  ];
  await expect(refused).rejects.toMatchObject({ code: 'platform.busy', status: 503 });
  await Promise.all([drawn, waiting]);

  await expect(renderer({ longestMs: 1 }).render(page(words('一')))).rejects.toThrow(
    'was not drawn within 1 ms',
  );
});
