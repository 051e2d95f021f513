// The common shape of the lines of all clouds' exports, and how a column of a row is read.
import { parseJson } from '#kernel/parse-json.ts';
import '#temporal';
import type { LineKind } from './contract.ts';
import { costUnits } from './rules-exact.ts';
import { pythonValue } from './rules-python.ts';

/** The identifying fields of a line that rules can match: who used what. */
export type Scope = {
  readonly provider: string;
  readonly account: string;
  readonly subAccount: string;
  readonly subAccountName: string;
  readonly resourceGroup: string;
  readonly tags: Readonly<Record<string, string>>;
};
/** A line of an export. Days are in UTC, 'YYYY-MM-DD'; amounts are in 10⁻¹⁸ of the currency unit. */
export type CostLine = {
  readonly periodStart: string;
  /** Exclusive. */
  readonly periodEnd: string;
  readonly day: string;
  readonly scope: Scope;
  readonly service: string;
  readonly kind: LineKind;
  readonly currency: string;
  /** Whether the row has no currency and uses its source's. */
  readonly isAssumed: boolean;
  readonly billed: bigint;
  readonly effective: bigint;
  readonly list: bigint;
};

/** Why a row cannot be read; `rule` is the key of a text. */
export type RowRule =
  | 'amount'
  | 'currency'
  | 'no_currency'
  | 'date'
  | 'period'
  | 'kind'
  | 'tags'
  | 'missing'
  | 'json'
  | 'long';
export class RowMistake extends Error {
  override readonly name = 'RowMistake';
  readonly rule: RowRule;
  readonly column: string;
  readonly value: string;

  constructor(rule: RowRule, column: string, value: string) {
    super(`${rule}: ${column}`);
    this.rule = rule;
    this.column = column;
    this.value = [...value].slice(0, 80).join('');
  }
}

/**
 * Normalizes a column name across exports: `line_item_usage_type`, `lineItem/UsageType` and
 * `LineItemUsageType` become the same.
 */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** A row accessed by normalized column names. A missing column and an empty cell are both ''. */
export class CostRow {
  readonly #columns: ReadonlyMap<string, number>;
  readonly #names: readonly string[];
  readonly #cells: readonly string[];
  readonly #nothing: string | undefined;
  readonly #assumedCurrency: string | undefined;
  readonly #tagColumns: CostHeader['tagColumns'];

  /**
   * `nothing` are the texts (in upper case) that stand for an empty cell; `assumedCurrency` is used for a row
   * without a currency.
   */
  constructor(
    header: CostHeader,
    cells: readonly string[],
    {
      nothing,
      assumedCurrency,
    }: { readonly nothing?: string; readonly assumedCurrency?: string | undefined } = {},
  ) {
    this.#assumedCurrency = assumedCurrency;
    this.#columns = header.columns;
    this.#tagColumns = header.tagColumns;
    this.#names = header.names;
    this.#cells = cells;
    this.#nothing = nothing;
  }

  /** Returns the first non-empty value of some columns. */
  text(...names: readonly string[]): string {
    for (const name of names) {
      const place = this.#columns.get(name);
      const value = place === undefined ? '' : (this.#cells[place] ?? '').trim();
      if (value !== '' && value.toUpperCase() !== this.#nothing) return value;
    }
    return '';
  }

  /** Returns the name of a column as the file spells it. */
  name(...names: readonly string[]): string {
    for (const name of names) {
      const place = this.#columns.get(name);
      if (place !== undefined) return this.#names[place] ?? name;
    }
    return names[0] ?? '';
  }

  mistake(rule: RowRule, ...names: readonly string[]): RowMistake {
    return new RowMistake(rule, this.name(...names), this.text(...names));
  }

  /** Returns a text to be stored, of bounded length. */
  label(...names: readonly string[]): string {
    const value = this.text(...names);
    if (value.length > longestLabel) throw this.mistake('long', ...names);
    return storable(value);
  }

  /** Returns an exact amount; empty is 0. */
  amount(...names: readonly string[]): bigint {
    const units = costUnits(plainAmount(this.text(...names)));
    if (units === undefined || units >= tooMuch || units <= -tooMuch) throw this.mistake('amount', ...names);
    return units;
  }

  /** Returns the tags that have their own columns, by their names in the header. */
  columnTags(): Record<string, string> {
    return tagsIn(
      Object.fromEntries(
        [...this.#tagColumns].flatMap(([place, name]) => {
          const value = (this.#cells[place] ?? '').trim();
          return value === '' ? [] : [[name, value]];
        }),
      ),
    );
  }

  /** Returns the row's currency, or its source's if it has none. */
  currency(...names: readonly string[]): Pick<CostLine, 'currency' | 'isAssumed'> {
    const value = this.text(...names).toUpperCase();
    if (value === '' && this.#assumedCurrency !== undefined)
      return { currency: this.#assumedCurrency, isAssumed: true };
    if (!/^[A-Z]{3}$/.test(value)) throw this.mistake(value === '' ? 'no_currency' : 'currency', ...names);
    return { currency: value, isAssumed: false };
  }

  /** Returns the UTC day of a time or date. */
  day(...names: readonly string[]): string {
    const value = this.text(...names);
    const day = dayOfText(value);
    if (day === undefined) throw this.mistake(value === '' ? 'missing' : 'date', ...names);
    return day;
  }
}

const longestLabel = 500;
/** More than any bill: 10²⁴ of a currency. */
const tooMuch = 10n ** 42n;
/** Makes a text storable in PostgreSQL: without NUL and lone surrogates. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

export type CostHeader = {
  readonly names: readonly string[];
  readonly columns: ReadonlyMap<string, number>;
  /** The indexes of columns that hold one tag each, with the tag's name. */
  readonly tagColumns: ReadonlyMap<number, string>;
};

/**
 * The tag of a column that holds one, as in the legacy CUR: `resourceTags/user:env`, and
 * `resource_tags_user_env` in its Athena tables; Oracle's are `tags/Namespace.Key`.
 */
export const tagColumn = (name: string): string | undefined =>
  /^(?:resource_?tags[/_]|tags\/)(.+)$/i.exec(name.trim())?.[1];

/**
 * Parses the header of a table; of two columns with the same name, the first counts. Azure translates names
 * and appends its own in parentheses.
 */
export function headerOf(names: readonly string[]): CostHeader {
  const columns = new Map<string, number>();
  const tagColumns = new Map<number, string>();
  for (const [place, name] of names.entries()) {
    const plain = plainName(name);
    if (!columns.has(plain)) columns.set(plain, place);
    const tag = tagColumn(name);
    if (tag !== undefined) tagColumns.set(place, tag);
  }
  for (const [place, name] of names.entries()) {
    const own = /\((\w+)\)\s*$/.exec(name)?.[1];
    if (own !== undefined && !columns.has(plainName(own))) columns.set(plainName(own), place);
  }
  return { names, columns, tagColumns };
}

/**
 * Normalizes an amount as spreadsheets write it: `$10,000.00` and `-$5` are numbers. Commas count as
 * thousands separators only where that is unambiguous: `1,500` alone could be one and a half.
 */
function plainAmount(text: string): string {
  const match = /^(-?)(\$?)(-?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?$/.exec(text);
  if (!match) return text;
  const [, before = '', dollar = '', behind = '', whole = '', fraction = ''] = match;
  if (before !== '' && behind !== '') return text;
  if (whole.includes(',') && dollar === '' && fraction === '') return text;
  return `${before}${behind}${whole.replaceAll(',', '')}${fraction}`;
}

/**
 * Parses a day in any format that exports use: ISO 8601 with or without time and offset, `2024-09-01 00:00:00
 * UTC`, and Azure's `09/30/2024`, which spreadsheets turn into `9/30/2024` or `9/30/24`. A time with an
 * offset becomes its day in UTC.
 */
export function dayOfText(text: string): string | undefined {
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?: .*)?$/.exec(text);
  const [, inMonth = '', inDay = '', inYear = ''] = american ?? [];
  const iso = american
    ? `${inYear.padStart(4, '20')}-${inMonth.padStart(2, '0')}-${inDay.padStart(2, '0')}`
    : text;
  const match =
    /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i.exec(
      iso,
    );
  if (!match) return undefined;
  const [, year = '', month = '', day = '', time, offset] = match;
  const plain = `${year}-${month}-${day}`;
  if (!isDate(Number(year), Number(month), Number(day))) return undefined;
  if (time === undefined || offset === undefined || /^(Z|UTC|[+-]00:?00)$/i.test(offset)) return plain;
  const moment = new Date(
    `${plain}T${time.slice(0, 8)}${offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`}`,
  );
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString().slice(0, 10);
}

function isDate(year: number, month: number, day: number): boolean {
  if (year < 2000 || year > 2199 || month < 1 || month > 12 || day < 1) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** The day a number of days later. */
export const dayAfter = (day: string, days: number): string =>
  Temporal.PlainDate.from(day).add({ days }).toString();
/** The first day of a day's month, and of the next month. */
export function monthAround(day: string): { readonly periodStart: string; readonly periodEnd: string } {
  const first = Temporal.PlainDate.from(day).with({ day: 1 });
  return { periodStart: first.toString(), periodEnd: first.add({ months: 1 }).toString() };
}

/**
 * Clamps a day to its billing period: corrections of earlier months on an invoice belong to the invoice's own
 * month.
 */
export const within = (day: string, periodStart: string, periodEnd: string): string => {
  if (day < periodStart) return periodStart;
  return day >= periodEnd ? dayAfter(periodEnd, -1) : day;
};

/** Throws for an invalid billing period; one longer than a year must be an error in the file. */
export function assertPeriod(row: CostRow, periodStart: string, periodEnd: string, name: string): void {
  if (periodEnd <= periodStart || periodEnd > dayAfter(periodStart, 366)) throw row.mistake('period', name);
}

const mostTags = 100;
/**
 * Parses tags from JSON: an object of texts, or Google's list of keys and values. Azure leaves out the
 * braces; Python's tables write Python literals.
 */
export function tagsOf(row: CostRow, ...names: readonly string[]): Record<string, string> {
  const text = row.text(...names);
  if (text === '' || text === '{}' || text === '[]') return {};
  if (text.length > 50_000) throw row.mistake('long', ...names);
  const value = parseJson(text) ?? parseJson(`{${text}}`) ?? pythonValue(text);
  if (typeof value !== 'object' || value === null) throw row.mistake('tags', ...names);
  return tagsIn(value);
}

/** Returns the tags in a JSON value, ordered by name, so that equal tags serialize alike. */
export function tagsIn(value: object): Record<string, string> {
  const pairs: (readonly [string, unknown])[] = Array.isArray(value)
    ? value.flatMap((each: unknown) =>
        typeof each === 'object' && each !== null && 'key' in each && typeof each.key === 'string'
          ? [[each.key, 'value' in each ? each.value : ''] as const]
          : [],
      )
    : Object.entries(value);
  const sorted = pairs
    .filter(([name]) => name !== '' && name !== '__proto__')
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, mostTags);
  return Object.fromEntries(
    sorted.map(([name, each]) => [
      storable(name).slice(0, longestLabel),
      storable(typeof each === 'string' ? each : (JSON.stringify(each) ?? '')).slice(0, longestLabel),
    ]),
  );
}
