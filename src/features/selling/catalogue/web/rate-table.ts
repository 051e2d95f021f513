// The rates of a matrix as a spreadsheet table: read from the clipboard or a CSV file, and written as CSV.
import * as z from 'zod/mini';
import { unsignedDecimal } from '#kernel/shape.ts';
import { MatrixRate, maxRates } from '#features/selling/rating/contract.ts';
import type { TextKey } from '#platform/web/i18n/i18n.ts';
import { conditionsKey, conditionsOf, emptyRate, isForAll, type RateFields } from './rate-fields.ts';

/** A rate in a table. */
export type TableRate = Omit<RateFields, 'uid'>;
/** What could not be read, with the line of the table; the text uses `line` and `params`. */
export type TableIssue = {
  readonly line: number;
  readonly code: TextKey<'catalogue'>;
  readonly params: Readonly<Record<string, string>>;
};
export type ReadTable = { readonly rates: readonly TableRate[]; readonly issues: readonly TableIssue[] };

/** The headers of the columns after the dimensions in the files that we write. */
const priceHead = 'unitPrice';
/** The tiers or the package of a rate, as JSON. */
const termsHead = 'terms';

/** Splits a table into cells, separated by tabs, commas or semicolons and quoted as in RFC 4180. */
function cellsIn(text: string, separator: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = (): void => {
    rows.push([...row, cell]);
    row = [];
    cell = '';
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') cell += text.charAt(++at);
      else isQuoted = false;
    } else if (sign === '"' && cell === '') isQuoted = true;
    else if (sign === separator) {
      row.push(cell);
      cell = '';
    } else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && text[at + 1] === '\n') at++;
      endRow();
    } else cell += sign;
  }
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}

/** The separator of a text: tabs if there are any, otherwise what the first line uses. */
function separatorOf(text: string): string {
  if (text.includes('\t')) return '\t';
  const head = text.split(/[\r\n]/, 1)[0] ?? '';
  return head.includes(';') && !head.includes(',') ? ';' : ',';
}

// Text that a spreadsheet would run as a formula is written with a leading apostrophe, as in all exported
// files.
const startsFormula = /^'*[=+\-@\t\r\n\0\uFF1D\uFF0B\uFF0D\uFF20]/;
const withoutGuard = (cell: string): string =>
  cell.startsWith("'") && startsFormula.test(cell) ? cell.slice(1) : cell;

type Column = { readonly at: number; readonly name: string };
type Head = { readonly conditions: readonly Column[]; readonly price: number; readonly terms: number };

/** The columns of a table without a header: the dimensions as ordered in the form, then the price. */
const usualHead = (columns: readonly string[]): Head => ({
  conditions: columns.map((name, at) => ({ at, name })),
  price: columns.length,
  terms: -1,
});

const folded = (text: string): string => text.trim().toLowerCase();

/** The columns named in a header line, or the unknown ones; undefined if the line is not a header. */
function headOf(
  cells: readonly string[],
  columns: readonly string[],
  priceNames: readonly string[],
): Head | { readonly unknown: readonly string[] } | undefined {
  const isPrice = (cell: string): boolean =>
    [priceHead, ...priceNames].some((name) => folded(name) === folded(cell));
  const left = new Map(columns.map((name) => [folded(name), name]));
  const conditions: Column[] = [];
  let [price, terms] = [-1, -1];
  const unknown: string[] = [];
  for (const [at, cell] of cells.entries()) {
    const name = left.get(folded(cell));
    if (name !== undefined) {
      conditions.push({ at, name });
      left.delete(folded(cell));
    } else if (price < 0 && isPrice(cell)) price = at;
    else if (terms < 0 && folded(cell) === termsHead) terms = at;
    else if (cell.trim() !== '') unknown.push(cell.trim());
  }
  if (conditions.length === 0 && price < 0) return undefined;
  // A first line of values may happen to contain the name of a dimension; its price shows that it is not a
  // header.
  if (price < 0 && unknown.some(isDecimal)) return undefined;
  return unknown.length > 0 || price < 0
    ? { unknown: price < 0 && unknown.length === 0 ? [''] : unknown }
    : { conditions, price, terms };
}

const isDecimal = (text: string): boolean => z.safeParse(unsignedDecimal, text.trim()).success;
const Terms = z.record(z.string(), z.unknown());

/** The tiers or the package in a cell, as one text; undefined if the API would not accept it. */
function termsOf(cell: string): string | undefined {
  try {
    const read = z.safeParse(Terms, JSON.parse(cell));
    return read.success && z.safeParse(MatrixRate, { when: {}, ...read.data }).success
      ? JSON.stringify(read.data)
      : undefined;
  } catch {
    // Not JSON; the caller reports the line.
    return undefined;
  }
}

/**
 * Reads a table of rates. `columns` are the dimensions as the form shows them: without a header the cells are
 * in this order, with the price last; a header may reorder and leave out columns. `priceNames` are further
 * names for the price column. A line that cannot be read is left out and reported; a header with an unknown
 * column rejects the whole table, since rates without one of their conditions would be different rates.
 */
export function readRateTable(
  text: string,
  columns: readonly string[],
  priceNames: readonly string[],
): ReadTable {
  const plain = text.replace(/^\uFEFF/, '');
  const lines = cellsIn(plain, separatorOf(plain)).map((cells) => cells.map(withoutGuard));
  const firstLine = lines.findIndex((cells) => cells.some((cell) => cell.trim() !== ''));
  const first = lines[firstLine];
  if (!first) return { rates: [], issues: [{ line: 1, code: 'catalogue.rates_none', params: {} }] };
  const head = headOf(first, columns, priceNames);
  if (head && 'unknown' in head)
    return {
      rates: [],
      issues: [
        head.unknown[0] === ''
          ? { line: firstLine + 1, code: 'catalogue.rates_price_missing', params: {} }
          : {
              line: firstLine + 1,
              code: 'catalogue.rates_column_unknown',
              params: { columns: head.unknown.join(', '), known: columns.join(', ') },
            },
      ],
    };
  const rates: TableRate[] = [];
  const issues: TableIssue[] = [];
  const seen = new Map<string, number>();
  for (const [index, cells] of lines.entries()) {
    const line = index + 1;
    if (index < firstLine || (head && index === firstLine) || cells.every((cell) => cell.trim() === ''))
      continue;
    const read = rateIn(cells, head ?? usualHead(columns));
    if ('code' in read) {
      issues.push({ line, ...read });
      continue;
    }
    const conditions = conditionsKey(read.when);
    const before = seen.get(conditions);
    if (before !== undefined) {
      issues.push({ line, code: 'catalogue.rates_line_twice', params: { other: String(before) } });
      continue;
    }
    seen.set(conditions, line);
    rates.push(read);
  }
  return { rates, issues };
}

function rateIn(
  cells: readonly string[],
  { conditions, price, terms }: Head,
): TableRate | Omit<TableIssue, 'line'> {
  const width = Math.max(price, terms, ...conditions.map(({ at }) => at)) + 1;
  const filled = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  if (filled > width || (filled <= price && terms < 0))
    return {
      code: 'catalogue.rates_cells_wrong',
      params: { found: String(filled), wanted: String(width) },
    };
  const when = conditionsOf(Object.fromEntries(conditions.map(({ at, name }) => [name, cells[at] ?? ''])));
  const agreed = terms < 0 ? '' : (cells[terms] ?? '').trim();
  const unitPrice = (cells[price] ?? '').trim();
  if (agreed !== '' && unitPrice === '') {
    const read = termsOf(agreed);
    return read === undefined
      ? { code: 'catalogue.rates_terms_wrong', params: {} }
      : { when, unitPrice: '', agreed: read };
  }
  if (!isDecimal(unitPrice))
    return {
      code: /^\d[\d.,\s]*,\d+$/.test(unitPrice)
        ? 'catalogue.rates_decimal_comma'
        : 'catalogue.rates_price_wrong',
      params: { price: unitPrice },
    };
  if (!z.safeParse(MatrixRate, { when, unitPrice }).success)
    return { code: 'catalogue.rates_value_wrong', params: {} };
  return { when, unitPrice, agreed: '' };
}

/** The result of merging the rates of a table. */
export type MergedRates = {
  readonly rates: RateFields[];
  readonly added: number;
  readonly changed: number;
  readonly same: number;
  /** How many exceeded the maximum. */
  readonly left: number;
};

/** What a table contained, to be reported. */
export type Taken = Omit<MergedRates, 'rates'> & { readonly issues: readonly TableIssue[] };

/** Appends a rate, but before a last one that applies to everything else. */
export function withRate(rates: readonly RateFields[], rate: RateFields): RateFields[] {
  const last = rates.at(-1);
  return rates.toSpliced(last && isForAll(last) ? rates.length - 1 : rates.length, 0, rate);
}

/**
 * Merges rates into the existing ones: for the same conditions the price is replaced, and empty rows are
 * dropped. A rate for everything else stays last.
 */
export function mergeRates(before: readonly RateFields[], taken: readonly TableRate[]): MergedRates {
  const isBlank = ({ when, unitPrice, agreed }: TableRate): boolean =>
    Object.keys(conditionsOf(when)).length === 0 && unitPrice.trim() === '' && agreed === '';
  const rates = before.filter((rate) => !isBlank(rate));
  const end = rates.length - 1;
  const stays = rates[end] !== undefined && isForAll(rates[end]);
  const places = new Map(rates.map(({ when }, place) => [conditionsKey(when), place]));
  let [added, changed, same, left] = [0, 0, 0, 0];
  for (const rate of taken) {
    const place = places.get(conditionsKey(rate.when));
    const there = place === undefined ? undefined : rates[place];
    if (there && place !== undefined) {
      if (there.unitPrice.trim() === rate.unitPrice && there.agreed === rate.agreed) same++;
      else {
        rates[place] = { ...there, unitPrice: rate.unitPrice, agreed: rate.agreed };
        changed++;
      }
    } else if (rates.length >= maxRates) left++;
    else {
      places.set(conditionsKey(rate.when), rates.length);
      rates.push(emptyRate(rate));
      added++;
    }
  }
  if (stays) rates.push(...rates.splice(end, 1));
  return { rates, added, changed, same, left };
}

/** Writes a column of values downward from a row; missing rows are added. `column` undefined: the price. */
export function fillDown(
  before: readonly RateFields[],
  values: readonly string[],
  row: number,
  column: string | undefined,
): RateFields[] {
  const rates = [...before];
  for (const [offset, value] of values.entries()) {
    const place = row + offset;
    if (place >= maxRates) break;
    const there = rates[place] ?? emptyRate();
    if (column !== undefined) rates[place] = { ...there, when: { ...there.when, [column]: value.trim() } };
    else rates[place] = there.agreed === '' ? { ...there, unitPrice: value.trim() } : there;
  }
  return rates;
}

/** The cells of a text that is a single column; undefined if it has several columns or is a single cell. */
export function columnIn(text: string): readonly string[] | undefined {
  if (text.includes('\t')) return undefined;
  const lines = text.replace(/[\r\n]+$/, '').split(/\r\n|\r|\n/);
  return lines.length > 1 ? lines : undefined;
}

/** The rates as a CSV file for spreadsheets, which {@link readRateTable} reads back unchanged. */
export function rateTable(columns: readonly string[], rates: readonly RateFields[]): string {
  const hasTerms = rates.some(({ agreed }) => agreed !== '');
  const guarded = (cell: string): string => (startsFormula.test(cell) ? `'${cell}` : cell);
  const line = (cells: readonly string[]): string =>
    `${cells.map((cell) => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
  return `\uFEFF${line([...columns.map(guarded), priceHead, ...(hasTerms ? [termsHead] : [])])}${rates
    .map(({ when, unitPrice, agreed }) =>
      line([
        ...columns.map((name) => guarded((when[name] ?? '').trim())),
        unitPrice.trim(),
        ...(hasTerms ? [agreed] : []),
      ]),
    )
    .join('')}`;
}
