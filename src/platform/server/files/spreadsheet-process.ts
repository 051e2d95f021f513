// The process that reads one workbook; spreadsheet-read.ts starts it and limits its time and memory.
import { buffer } from 'node:stream/consumers';
import { readSheet } from 'read-excel-file/universal';
import { fromBufferPromise } from 'yauzl';
import { asError } from '#kernel/errors.ts';
import { obeyConsole } from '../processes/child-side.ts';
import { zipOf, type ZipEntry } from './zip.ts';

export type SheetBounds = {
  readonly maxRows: number;
  readonly maxColumns: number;
  /** The maximum size of all unpacked parts in bytes: a small file may unpack to gigabytes of zeros. */
  readonly maxBytes: number;
};

export type SheetTask = { readonly file: Uint8Array; readonly bounds: SheetBounds };
export type SheetResult = { readonly rows: string[][] } | { readonly reason: string };

/** In characters: Excel's own limit (https://support.microsoft.com/office/1672b34d-7043-467e-8e27-269d656771c3). */
const longestCell = 32_767;

/** Enough for a workbook with a few hundred sheets. */
const maxParts = 2000;

const sharedTexts = 'xl/sharedStrings.xml';

/** The parts that determine the cells, unpacked within the byte limit. */
async function partsOf(file: Buffer, { maxBytes }: SheetBounds): Promise<ZipEntry[]> {
  const parts: ZipEntry[] = [];
  const archive = await fromBufferPromise(file, { lazyEntries: true });
  if (archive.entryCount > maxParts) throw new Error('too many parts');
  let left = maxBytes;
  for await (const entry of archive.eachEntry()) {
    if (!/\.(?:xml|rels)$/i.test(entry.fileName)) continue;
    // The declared size can be trusted: yauzl fails when a part is longer than declared.
    left -= entry.uncompressedSize;
    if (left < 0) throw new Error(`more than ${maxBytes} bytes when unpacked`);
    parts.push({
      name: entry.fileName,
      content: await buffer(await archive.openReadStreamPromise(entry)),
    });
  }
  // read-excel-file 9.3.17 fails on workbooks without shared strings or styles.
  if (!parts.some(({ name }) => name === sharedTexts))
    parts.push({ name: sharedTexts, content: Buffer.from('<sst/>') });
  return parts;
}

/** A cell as text. Dates are read as UTC, because workbooks have no time zone. */
function textOf(cell: unknown): string {
  if (typeof cell === 'string') return cell;
  if (cell instanceof Date) return cell.toISOString();
  return typeof cell === 'boolean' ? String(cell) : '';
}

/** The cells of a row as texts, without empty ones at the end. */
const textsOf = (row: readonly unknown[]): string[] =>
  row.slice(0, row.findLastIndex((cell) => cell !== null && cell !== '') + 1).map(textOf);

async function read({ file, bounds }: SheetTask): Promise<SheetResult> {
  try {
    // Repacked without compression: the library unpacks without a limit, so it gets parts that need no
    // unpacking.
    const archive = await buffer(zipOf(await partsOf(Buffer.from(file), bounds)));
    const sheet = await readSheet(new Blob([archive]), { trim: false, parseNumber: (digits) => digits });
    const rows = sheet.slice(0, bounds.maxRows + 1).map(textsOf);
    if (rows.some((row) => row.length > bounds.maxColumns)) return { reason: 'too many columns' };
    if (rows.some((row) => row.some((cell) => cell.length > longestCell)))
      return { reason: 'a cell is too long' };
    // Many cells may reference one shared string, which is then sent once per cell.
    const length = rows.reduce((sum, row) => sum + row.reduce((all, cell) => all + cell.length, 0), 0);
    if (length > bounds.maxBytes) return { reason: 'too much text' };
    return { rows };
  } catch (error) {
    return { reason: asError(error).message };
  }
}

process.on('message', (task: SheetTask) => {
  void read(task).then((result) => process.send?.(result));
});
obeyConsole();
