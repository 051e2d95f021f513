// Reads the rows of a file with limits: CSV, JSON lines (both optionally gzipped) and Parquet.
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, Transform } from 'node:stream';
import { createGunzip, gunzipSync, brotliDecompressSync, zstdDecompressSync } from 'node:zlib';
import { CsvError, parse } from 'csv-parse';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, snappyUncompress } from 'hyparquet';
import { unitsText } from '#kernel/decimal.ts';
import { exactJson, flattened } from '../rules-formats.ts';
import { headerOf, plainName, storable, tagColumn, type CostHeader } from '../rules-line.ts';
import type { ReadBounds, ReadMistake } from './read-task.ts';

/** Thrown when a file cannot be read. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly mistake: ReadMistake;

  constructor(
    rule: string,
    {
      row = null,
      column = null,
      ...params
    }: { row?: number | null; column?: string | null } & Record<string, unknown> = {},
  ) {
    super(rule);
    this.mistake = {
      rule,
      row,
      column: column === null ? null : storable(column),
      params: Object.fromEntries(
        Object.entries(params).map(([name, value]) => [
          name,
          typeof value === 'number' ? value : storable(String(value)),
        ]),
      ),
    };
  }
}

/**
 * A row with its header; all rows of a CSV share one. `row` is its number in the file; the header is row 1.
 */
export type TableRow = {
  readonly header: CostHeader;
  readonly cells: readonly string[];
  readonly row: number;
};
/** The combined limits of several files. */
export type Budget = ReadBounds & { bytesLeft: number; readonly onBytes: (bytes: number) => void };

const longestRow = 1024 * 1024;

/** Yields the rows of a file, whose format is detected by its first bytes. @throws Unreadable */
export async function* rowsOf(path: string, budget: Budget): AsyncGenerator<TableRow, void, void> {
  const file = await open(path);
  const begin = Buffer.alloc(4);
  try {
    await file.read(begin, 0, 4, 0);
  } finally {
    await file.close();
  }
  if (begin.toString('latin1') === 'PAR1') yield* parquetRows(path, budget);
  else if (begin.toString('latin1', 0, 2) === 'PK') throw new Unreadable('zip');
  else yield* textRows(path, begin[0] === 0x1f && begin[1] === 0x8b, budget);
}

async function* textRows(
  path: string,
  isPacked: boolean,
  budget: Budget,
): AsyncGenerator<TableRow, void, void> {
  const counted = new Transform({
    transform(piece: Buffer, _encoding, done) {
      budget.bytesLeft -= piece.length;
      done(budget.bytesLeft < 0 ? new Unreadable('too_large', { most: budget.maxBytes }) : null, piece);
    },
  });
  const source = createReadStream(path, { highWaterMark: 256 * 1024 });
  source.on('data', (piece) => budget.onBytes(piece.length));
  const failed = (): void => undefined;
  // An error ends the last stream, whose reader receives it.
  if (isPacked) pipeline(source, createGunzip(), counted, failed);
  else pipeline(source, counted, failed);
  const pieces = counted[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    const first = await pieces.next();
    if (first.done === true) throw new Unreadable('empty');
    const rest = restOf(first.value, pieces);
    if (/^\uFEFF?\s*\{/.test(first.value.toString('utf8', 0, 200))) yield* jsonRows(rest);
    else yield* csvRows(rest);
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^Z_|ERR_BUFFER/.test(String(error.code)))
      throw new Unreadable('gzip');
    throw error;
  } finally {
    source.destroy();
    counted.destroy();
  }
}

async function* restOf(first: Buffer, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer, void, void> {
  yield first;
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value;
}

const csvMistakes: ReadonlyMap<string, string> = new Map([['CSV_MAX_RECORD_SIZE', 'long_row']]);

async function* csvRows(content: AsyncIterable<Buffer>): AsyncGenerator<TableRow, void, void> {
  const parser = parse({
    bom: true,
    skip_empty_lines: true,
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n'],
    max_record_size: longestRow,
  });
  pipeline(content, parser, () => undefined);
  let header: CostHeader | undefined;
  let row = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      row++;
      // A last line of only whitespace is not a row.
      if (cells.length === 1 && cells[0]?.trim() === '') continue;
      if (header && cells.length !== header.names.length) throw new Unreadable('columns', { row });
      if (header) yield { header, cells, row };
      else header = headerOf(cells);
    }
  } catch (error) {
    if (error instanceof CsvError)
      // The number of the first unreadable row, counted from 1.
      throw new Unreadable(csvMistakes.get(error.code) ?? 'csv', { row: row + 1 });
    throw error;
  }
}

async function* jsonRows(content: AsyncIterable<Buffer>): AsyncGenerator<TableRow, void, void> {
  const decoder = new TextDecoder();
  let text = '';
  let row = 0;
  const read = (line: string): TableRow | undefined => {
    row++;
    if (line.trim() === '') return undefined;
    const value = exactJson(line);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new Unreadable('json', { row });
    const cells = flattened(value);
    return { header: headerOf(cells.map(([name]) => name)), cells: cells.map(([, cell]) => cell), row };
  };
  for await (const piece of content) {
    text += decoder.decode(piece, { stream: true });
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    if (text.length > longestRow) throw new Unreadable('long_row', { row: row + 1 });
    for (const line of lines) {
      const found = read(line.replace(/^\uFEFF/, ''));
      if (found) yield found;
    }
  }
  const last = read(text + decoder.decode());
  if (last) yield last;
}

/** The normalized names of columns that some format reads; a struct is matched by prefix. */
const wanted = [
  'billedcost billingcurrency billingperiodstart billingperiodend chargeperiodstart chargecategory effectivecost listcost providername serviceprovidername publishername invoiceissuername billingaccountid subaccountid subaccountname xresourcegroupname tags servicename servicecategory',
  'billbillingperiodstartdate billbillingperiodenddate billpayeraccountid lineitemlineitemtype lineitemunblendedcost lineitemcurrencycode lineitemusageaccountid lineitemusageaccountname lineitemusagestartdate lineitemproductcode pricingpublicondemandcost productproductname product productservicecode resourcetags savingsplansavingsplaneffectivecost savingsplantotalcommitmenttodate savingsplanusedcommitment reservationeffectivecost reservationreservationarn reservationunusedamortizedupfrontfeeforbillingperiod reservationunusedrecurringfee',
  'costinbillingcurrency cost pretaxcost billingcurrencycode currency date usagedatetime usagedate billingperiodstartdate billingperiodenddate chargetype enrollmentnumber billingaccountname subscriptionid subscriptionguid subscriptionname resourcegroup resourcegroupname metercategory consumedservice paygcostinbillingcurrency',
  'usagestarttime invoicemonth invoice costtype projectid projectname projectlabels project servicedescription serviceid service labels credits costatlist',
  'costmycost costcurrencycode lineitemintervalusagestart lineitemtenantid lineitemiscorrection productservice productdescription productcompartmentid productcompartmentname',
].flatMap((names) => names.split(' '));
const wantedNames: ReadonlySet<string> = new Set(wanted);

type Decimals = ReadonlyMap<string, number>;
const largestPage = 256 * 1024 * 1024;
const largestGroup = 1024 * 1024 * 1024;

const bounded =
  (unpack: (input: Uint8Array, most: number) => Uint8Array) =>
  (input: Uint8Array, length: number): Uint8Array => {
    if (length > largestPage) throw new Unreadable('too_large', { most: largestPage });
    return unpack(input, length);
  };
const compressors = {
  GZIP: bounded((input, most) => gunzipSync(input, { maxOutputLength: Math.max(most, 1) })),
  ZSTD: bounded((input, most) => zstdDecompressSync(input, { maxOutputLength: Math.max(most, 1) })),
  BROTLI: bounded((input, most) => brotliDecompressSync(input, { maxOutputLength: Math.max(most, 1) })),
  SNAPPY: bounded((input, most) => {
    const output = new Uint8Array(most);
    snappyUncompress(input, output);
    return output;
  }),
};

async function* parquetRows(path: string, budget: Budget): AsyncGenerator<TableRow, void, void> {
  try {
    const file = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file);
    const decimals = new Map<string, number>();
    for (const element of metadata.schema) {
      // The library converts decimals to floating point. The unscaled integers are read instead, and the
      // decimal point is placed here.
      if (element.converted_type !== 'DECIMAL') continue;
      decimals.set(element.name, element.scale ?? 0);
      delete element.converted_type;
      delete element.logical_type;
    }
    const columns = topColumns(metadata.schema).filter(
      (name) => wantedNames.has(plainName(name)) || tagColumn(name) !== undefined,
    );
    if (columns.length === 0) throw new Unreadable('unknown_columns', { columns: 'BilledCost' });
    const header = headerOf(columns);
    let row = 1;
    let start = 0;
    for (const group of metadata.row_groups) {
      const unpacked = Number(group.total_byte_size);
      budget.bytesLeft -= unpacked;
      if (budget.bytesLeft < 0) throw new Unreadable('too_large', { most: budget.maxBytes });
      if (unpacked > largestGroup || Number(group.num_rows) > budget.maxRows)
        throw new Unreadable('too_large', { most: largestGroup });
      const end = start + Number(group.num_rows);
      for (const record of await parquetReadObjects({
        file,
        metadata,
        columns,
        rowStart: start,
        rowEnd: end,
        compressors,
        utf8: false,
      }))
        yield rowOfRecord(record, columns, header, decimals, ++row);
      start = end;
      budget.onBytes(Number(group.total_compressed_size ?? 0n));
    }
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    // Whatever error the library throws, the file is invalid.
    throw new Unreadable('parquet', { reason: error instanceof Error ? error.message.slice(0, 200) : '' });
  }
}

/**
 * Returns the names of a table's columns without the parts of nested ones. The schema is a tree in
 * depth-first order.
 */
function topColumns(
  schema: readonly { readonly name: string; readonly num_children?: number | undefined }[],
): string[] {
  const names: string[] = [];
  let place = 1;
  const skip = (): void => {
    const element = schema[place++];
    for (let child = 0; child < (element?.num_children ?? 0); child++) skip();
  };
  while (place < schema.length) {
    names.push(schema[place]?.name ?? '');
    skip();
  }
  return names;
}

function rowOfRecord(
  record: Readonly<Record<string, unknown>>,
  columns: readonly string[],
  header: CostHeader,
  decimals: Decimals,
  row: number,
): TableRow {
  const plain = columns.map((name) => [name, plainValue(record[name], name, decimals)] as const);
  if (
    plain.every(
      ([, value]) =>
        typeof value !== 'object' || value === null || value instanceof Date || Array.isArray(value),
    )
  )
    return { header, cells: plain.map(([, value]) => cellOf(value)), row };
  const cells = flattened(Object.fromEntries(plain));
  return { header: headerOf(cells.map(([name]) => name)), cells: cells.map(([, cell]) => cell), row };
}

function plainValue(value: unknown, name: string, decimals: Decimals): unknown {
  const scale = decimals.get(name);
  if (scale !== undefined && value !== null && value !== undefined) return unitsText(wholeOf(value), scale);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  if (Array.isArray(value)) return value.map((each: unknown) => plainValue(each, name, new Map()));
  if (typeof value === 'object' && value !== null && !(value instanceof Date))
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, plainValue(each, key, decimals)]),
    );
  return value;
}

/** The unscaled integer of a decimal, stored as an integer or as two's complement bytes. */
function wholeOf(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return BigInt(value);
  if (!(value instanceof Uint8Array)) throw new Unreadable('parquet', { reason: 'decimal' });
  return value.length === 0
    ? 0n
    : BigInt.asIntN(value.length * 8, BigInt(`0x${Buffer.from(value).toString('hex')}`));
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  return typeof value === 'object'
    ? (JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? each.toString() : each)) ??
        '')
    : String(value as number | bigint | boolean);
}
