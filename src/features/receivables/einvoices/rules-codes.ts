// The machine-readable content of a printed proof (電子發票證明聯): the text of its bar code and of its two QR
// codes. Source: 財政部財政資訊中心, 「電子發票證明聯一維及二維條碼規格說明」, version 1.9 of May 2022, chapters 壹 (bar code) and 貳 (QR
// codes).
import { roundedQuotient, trimDecimal, unitsOf } from '#kernel/decimal.ts';
import { hourMs } from '#kernel/durations.ts';
import { fullWidth, proofWords } from './rules-words.ts';

/** One item as named in the codes; quantity and price are decimal numbers. */
export type CodeItem = {
  readonly description: string;
  readonly quantity: string;
  readonly unitPrice: string;
};

/** The content of the codes. Amounts are whole New Taiwan dollars. */
export type CodeContent = {
  /** Two letters and eight digits. */
  readonly number: string;
  /** Four digits. */
  readonly randomCode: string;
  readonly issuedAt: Date;
  /** Without tax. */
  readonly sales: bigint;
  readonly total: bigint;
  /** Eight digits; empty for a consumer. */
  readonly buyerTaxId: string;
  readonly sellerTaxId: string;
  /** 加密驗證資訊: 24 characters of Base64, computed with the seller's key. */
  readonly verification: string;
  readonly items: readonly CodeItem[];
};

/** A date and time in Taiwan, which keeps UTC+8 all year; each part with leading zeros. */
export type TaipeiMoment = {
  readonly year: number;
  readonly month: string;
  readonly day: string;
  /** `14:30:05` */
  readonly time: string;
};

/** Returns the date and time in Taiwan. */
export function taipeiMoment(at: Date): TaipeiMoment {
  const [date, time] = new Date(at.getTime() + 8 * hourMs).toISOString().split('T') as [string, string];
  const [year, month, day] = date.split('-') as [string, string, string];
  return { year: Number.parseInt(year, 10), month, day, time: time.slice(0, 8) };
}

/** `2026-11-26` in Taiwan. */
export function taipeiDate(at: Date): string {
  const { year, month, day } = taipeiMoment(at);
  return `${year}-${month}-${day}`;
}

const rocYear = (year: number): string => String(year - 1911).padStart(3, '0');

/** The last month of the two-month period that contains a month: `02` for both `01` and `02`. */
const evenMonth = (month: string): string => {
  const number = Number.parseInt(month, 10);
  return String(number + (number % 2)).padStart(2, '0');
};

/** The date with the year of the Republic of China, seven digits: `1151126`. */
export function rocDate(at: Date): string {
  const { year, month, day } = taipeiMoment(at);
  return `${rocYear(year)}${month}${day}`;
}

/**
 * The two-month period in five digits, the year of the Republic of China and the even month: `11512` in
 * November and December 2026.
 */
export function rocPeriod(at: Date): string {
  const { year, month } = taipeiMoment(at);
  return `${rocYear(year)}${evenMonth(month)}`;
}

/** The two-month period as in the proof's heading: `115年11-12月`. */
export function periodHeading(at: Date): string {
  const { year, month } = taipeiMoment(at);
  const last = evenMonth(month);
  const first = String(Number.parseInt(last, 10) - 1).padStart(2, '0');
  return proofWords.period(year - 1911, first, last);
}

/** The text of the Code 39 bar code: period, number, random code, 19 characters (specification, chapter 壹). */
export function barcodeText(content: Pick<CodeContent, 'number' | 'randomCode' | 'issuedAt'>): string {
  return `${rocPeriod(content.issuedAt)}${content.number}${content.randomCode}`;
}

/**
 * The tax contained in a gross amount at a rate in percent ("5"), rounded half away from zero; the remainder
 * is the net amount, as value-added tax is contained in a price to a consumer (統一發票使用辦法, article 7: 定價含稅).
 */
export function containedTax(gross: bigint, percent: string): bigint {
  const digits = 12;
  const rate = unitsOf(percent, digits);
  return gross - roundedQuotient(gross * 100n * 10n ** BigInt(digits), 100n * 10n ** BigInt(digits) + rate);
}

const largestAmount = 0xff_ff_ff_ffn;

/** An amount in eight hexadecimal digits, lower case (specification, source code in chapter 伍: `ToString("x8")`). */
function hexAmount(amount: bigint): string {
  if (amount < 0n || amount > largestAmount)
    throw new RangeError(`${amount} does not fit the eight digits of the codes`);
  return amount.toString(16).padStart(8, '0');
}

/**
 * The capacity in bytes of a QR code of version 6 with error correction level L in byte mode (ISO/IEC 18004,
 * table 7).
 */
export const qrBytes = 134;
/** The version of both codes, so that they have the same size, as the specification requires. */
export const qrVersion = 6;

/** The length of a text in UTF-8. */
export function bytesOf(text: string): number {
  let bytes = 0;
  for (const sign of text) {
    const point = sign.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x8_00 ? 2 : point < 0x1_00_00 ? 3 : 4;
  }
  return bytes;
}

const consumer = '00000000';
const ownArea = '*'.repeat(10);
/** 中文編碼參數: 1 is UTF-8. */
const encoding = '1';
const rightStart = '**';

/** Name, quantity and price, separated by colons, so a colon inside a name is written full-width. */
function itemText({ description, quantity, unitPrice }: CodeItem): string {
  const name = description.replaceAll(':', fullWidth.colon).replaceAll(/\s+/g, ' ').trim();
  return `${name}:${trimDecimal(quantity)}:${trimDecimal(unitPrice)}`;
}

/** The first 77 characters of the left code, which every reader understands. */
function head(content: CodeContent): string {
  return [
    content.number,
    rocDate(content.issuedAt),
    content.randomCode,
    hexAmount(content.sales),
    hexAmount(content.total),
    content.buyerTaxId === '' ? consumer : content.buyerTaxId,
    content.sellerTaxId,
    content.verification,
  ].join('');
}

/** Returns both texts with the first `recorded` items, of which `left` are in the left code. */
function pairOf(
  start: string,
  items: readonly string[],
  recorded: number,
  left: number,
): { left: string; right: string } {
  const inLeft = items.slice(0, left);
  const inRight = items.slice(left, recorded);
  const counts = [start, ownArea, String(recorded), String(items.length), encoding, ...inLeft].join(':');
  return {
    left: inRight.length > 0 || recorded === 0 ? `${counts}:` : counts,
    right: `${rightStart}${inRight.join(':')}`,
  };
}

/**
 * The order in which distributions of the items are tried: one on the left as in the specification's example,
 * then more, then none.
 */
const placesOf = (recorded: number): number[] =>
  recorded === 0 ? [0] : [...Array.from({ length: recorded }, (_, index) => index + 1), 0];

/**
 * Returns the texts of the left and the right QR code. They contain as many items as fit, the first ones
 * first, and state how many of how many (specification, chapter 貳, fields 10 and 11). Each text has at most
 * {@link qrBytes} bytes in UTF-8.
 * @throws RangeError when an amount does not fit, or a field's length differs from the specification.
 */
export function qrTexts(content: CodeContent): { left: string; right: string } {
  const start = head(content);
  if (start.length !== 77) throw new RangeError(`the codes begin with 77 characters, not ${start.length}`);
  const items = content.items.map(itemText);
  for (let recorded = items.length; recorded >= 0; recorded--)
    for (const left of placesOf(recorded)) {
      const pair = pairOf(start, items, recorded, left);
      if (bytesOf(pair.left) <= qrBytes && bytesOf(pair.right) <= qrBytes) return pair;
    }
  throw new RangeError('the counts of items do not fit the left code');
}
