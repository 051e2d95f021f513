// The first sheet of an Excel workbook as texts. Reads what spreadsheets write, within bounds: nothing outside the file is ever opened.
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

const inflate = promisify(inflateRaw);

export type SheetBounds = {
  readonly mostRows: number;
  readonly mostColumns: number;
  /** Bytes of any one part once it is unpacked: a small file may hold gigabytes of zeros. */
  readonly mostBytes: number;
};

/** The file is no workbook, or one beyond the bounds; `reason` is for the log. */
export class UnreadableSheet extends Error {
  override readonly name = 'UnreadableSheet';
}

type Packed = { readonly method: number; readonly size: number; readonly offset: number };
const [endMark, entryMark, localMark] = [0x0605_4b50, 0x0201_4b50, 0x0403_4b50];
const endLength = 22;
const longestComment = 0xffff;
const mostEntries = 2000;

/**
 * Rows of the first sheet, each as long as its last cell; empty cells are ''. One row more than `mostRows` is answered when there
 * are more. Throws {@link UnreadableSheet}.
 */
export async function readSheet(file: Buffer, bounds: SheetBounds): Promise<string[][]> {
  const entries = directoryOf(file);
  const part = async (name: string): Promise<string | undefined> => {
    const entry = entries.get(name);
    return entry && unpack(file, entry, bounds.mostBytes);
  };
  const sheetName = await firstSheet(part);
  const sheet = await part(sheetName);
  if (sheet === undefined) throw new UnreadableSheet('the workbook has no sheet');
  if (/<!DOCTYPE|<!ENTITY/i.test(sheet)) throw new UnreadableSheet('the sheet declares entities');
  const shared = sharedTexts((await part('xl/sharedStrings.xml')) ?? '');
  return rowsOf(sheet, shared, bounds);
}

/** The archive's table of contents. */
function directoryOf(file: Buffer): Map<string, Packed> {
  const from = Math.max(0, file.length - endLength - longestComment);
  let end = file.length - endLength;
  while (end >= from && file.readUInt32LE(end) !== endMark) end -= 1;
  if (end < from) throw new UnreadableSheet('no archive');
  const count = file.readUInt16LE(end + 10);
  if (count > mostEntries) throw new UnreadableSheet('too many parts');
  const found = new Map<string, Packed>();
  let at = file.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== entryMark)
      throw new UnreadableSheet('broken table of contents');
    const nameLength = file.readUInt16LE(at + 28);
    const name = file.toString('utf8', at + 46, at + 46 + nameLength);
    found.set(name, {
      method: file.readUInt16LE(at + 10),
      size: file.readUInt32LE(at + 20),
      offset: file.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return found;
}

async function unpack(file: Buffer, { method, size, offset }: Packed, mostBytes: number): Promise<string> {
  if (offset + 30 > file.length || file.readUInt32LE(offset) !== localMark)
    throw new UnreadableSheet('a part is not where it should be');
  const begin = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
  const bytes = file.subarray(begin, begin + size);
  if (bytes.length !== size || (method !== 0 && method !== 8))
    throw new UnreadableSheet('a part is cut off or packed in another way');
  try {
    return (method === 0 ? bytes : await inflate(bytes, { maxOutputLength: mostBytes })).toString('utf8');
  } catch (error) {
    throw new UnreadableSheet(error instanceof Error ? error.message : 'a part cannot be unpacked');
  }
}

/** Where the workbook's first sheet is. */
async function firstSheet(part: (name: string) => Promise<string | undefined>): Promise<string> {
  const id = /<(?:\w+:)?sheet\b[^>]*?\br:id="([^"]+)"/.exec((await part('xl/workbook.xml')) ?? '')?.[1];
  const relations = (await part('xl/_rels/workbook.xml.rels')) ?? '';
  for (const [tag] of relations.matchAll(/<Relationship\b[^>]*>/g)) {
    const target = /\bTarget="([^"]+)"/.exec(tag)?.[1];
    if (id !== undefined && target !== undefined && /\bId="([^"]+)"/.exec(tag)?.[1] === id)
      return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  }
  return 'xl/worksheets/sheet1.xml';
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text out of XML; `_x000D_` is how spreadsheets write what XML cannot hold. */
function plain(xml: string): string {
  return xml
    .replaceAll(/&(#x[0-9a-fA-F]{1,6}|#\d{1,7}|\w{1,8});/g, (all, name: string) => {
      if (!name.startsWith('#')) return entities[name] ?? all;
      const code = name.startsWith('#x')
        ? Number.parseInt(name.slice(2), 16)
        : Number.parseInt(name.slice(1), 10);
      return code <= 0x10_ffff ? String.fromCodePoint(code) : '';
    })
    .replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_all, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
}

/** All pieces of a text, without how they look and without how they are read aloud. */
const textIn = (xml: string): string =>
  [...xml.replaceAll(/<rPh\b[\s\S]*?<\/rPh>/g, '').matchAll(/<t(?:\s[^>]*)?>([^<]*)<\/t>/g)]
    .map((match) => plain(match[1] ?? ''))
    .join('');

function sharedTexts(xml: string): string[] {
  return [...xml.matchAll(/<si(?:\s[^>]*)?>([\s\S]*?)<\/si>/g)].map((match) => textIn(match[1] ?? ''));
}

function rowsOf(
  sheet: string,
  shared: readonly string[],
  { mostRows, mostColumns }: SheetBounds,
): string[][] {
  const rows: string[][] = [];
  for (const [, attributes = '', body = ''] of sheet.matchAll(/<row\b([^>]*?)(?:\/>|>([\s\S]*?)<\/row>)/g)) {
    const number = Number(/\br="(\d{1,7})"/.exec(attributes)?.[1] ?? rows.length + 1);
    if (number > mostRows + 1)
      return [...rows, ...Array.from({ length: Math.max(0, mostRows + 1 - rows.length) }, () => [])];
    while (rows.length < number) rows.push([]);
    rows[number - 1] = cellsOf(body, shared, mostColumns);
  }
  return rows;
}

function cellsOf(body: string, shared: readonly string[], mostColumns: number): string[] {
  const cells: string[] = [];
  for (const [, attributes = '', content = ''] of body.matchAll(/<c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/c>)/g)) {
    const place = /\br="([A-Z]{1,3})\d+"/.exec(attributes)?.[1];
    const column =
      place === undefined
        ? cells.length
        : [...place].reduce((sum, letter) => sum * 26 + (letter.codePointAt(0) ?? 64) - 64, 0) - 1;
    if (column >= mostColumns) throw new UnreadableSheet('too many columns');
    while (cells.length < column) cells.push('');
    cells[column] = valueOf(/\bt="(\w+)"/.exec(attributes)?.[1], content, shared);
  }
  return cells;
}

function valueOf(type: string | undefined, content: string, shared: readonly string[]): string {
  if (type === 'inlineStr') return textIn(content);
  // A formula's last result stands beside it; the formula itself is never looked at.
  const value = plain(/<v(?:\s[^>]*)?>([^<]*)<\/v>/.exec(content)?.[1] ?? '');
  if (type === 's') return shared[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'true' : 'false';
  return value;
}
