// Parses bank statements: the meaning of columns, days and amounts in the banks' formats, and what identifies
// a row.
import { currencies, money, parseMoney, type Currency, type Money } from '#kernel/money.ts';
import { isDay, type LocalDay } from '#kernel/shape.ts';
import { bankFields, type BankField, type lineMistakes, type Mapping } from './contract.ts';

/** Column names used by banks; a name belongs to the first field that matches. */
const names: Readonly<Record<BankField, RegExp>> = {
  day: /^(交易日期?|日期|入帳日期?|帳務日期?|記帳日期?|transactiondate|postingdate|bookingdate|valuedate|date)$/,
  credit: /^(存入金?額?|收入金?額?|貸方金?額?|轉入金?額?|credit(amount)?|deposits?|paidin|moneyin)$/,
  debit:
    /^(支出金?額?|提出金?額?|借方金?額?|轉出金?額?|提款金?額?|debit(amount)?|withdrawals?|paidout|moneyout)$/,
  balance: /^(帳戶餘額|帳面餘額|可用餘額|結餘|餘額|(running|closing|account)?balance)$/,
  amount: /^(交易金額|金額|amount|transactionamount)$/,
  payerName: /^(對方戶名|戶名|付款人|匯款人|轉出戶名|payer(name)?|counterparty(name)?|name)$/,
  payerAccount:
    /^(對方帳號|轉出入?帳號|匯款帳號|交易對象帳號|counterpartyaccount|payeraccount|iban|accountnumber)$/,
  reference: /^(備註|附言|附註|註記|訊息|銷帳編號|reference|ref|memo|remarks?|paymentreference|note)$/,
  description:
    /^(交易摘要|摘要|交易說明|說明|用途|description|details?|narrative|particulars|transactiontype)$/,
};
const order: readonly BankField[] = [
  'day',
  'credit',
  'debit',
  'balance',
  'amount',
  'payerName',
  'payerAccount',
  'reference',
  'description',
];

/** No bank has more columns or longer names, so the rest is ignored. */
const maxColumns = 200;
const longestColumnName = 200;

/** Normalizes a column name: case, spaces, parentheses with their content, and currency marks are removed. */
const plainName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\([^()]*\)/g, '')
    .replace(/nt\$|twd|[^\p{L}]/gu, '');

/** Guesses the columns of one line; undefined if it is not a header because it has no day or no amount. */
export function guessMapping(header: readonly string[], headerLine: number): Mapping | undefined {
  const found: Partial<Record<BankField, number>> = {};
  const plain = header.slice(0, maxColumns).map((name) => plainName(name.slice(0, longestColumnName)));
  for (const field of order) {
    const at = plain.findIndex(
      (name, index) => names[field].test(name) && !Object.values(found).includes(index),
    );
    if (at >= 0) found[field] = at;
  }
  const mapping = { ...found, headerLine };
  return isMapping(mapping) ? mapping : undefined;
}

/**
 * Whether a mapping is complete: a day, and either one amount or a column of incoming money. No column may be
 * used twice.
 */
export function isMapping(mapping: Partial<Mapping>): mapping is Mapping {
  const used = bankFields.map((field) => mapping[field]).filter((at) => at !== undefined);
  return (
    mapping.day !== undefined &&
    (mapping.amount !== undefined || mapping.credit !== undefined) &&
    !(mapping.amount !== undefined && (mapping.credit !== undefined || mapping.debit !== undefined)) &&
    new Set(used).size === used.length
  );
}

/**
 * Parses a day in the banks' formats: 2026/11/20, 2026-11-20, 20261120, 2026年11月20日, and years of the
 * Republic of China (115/11/20, 民國115年11月20日, 1151120).
 */
export function readDay(written: string): LocalDay | undefined {
  const text = written
    .normalize('NFKC')
    .trim()
    .replace(/^(中華)?民國\s*/, '');
  const match =
    /^(\d{2,4})\s*[/\-.年]\s*(\d{1,2})\s*[/\-.月]\s*(\d{1,2})(?:\s*日)?(?:[\sT]|$)/.exec(text) ??
    /^(\d{3,4})(\d{2})(\d{2})(?:\s|$)/.exec(text);
  if (!match?.[1] || !match[2] || !match[3]) return undefined;
  const year = Number(match[1]);
  // Two or three digits are years of the Republic of China; year 1 is 1912.
  const full = match[1].length < 4 ? year + 1911 : year;
  const day = `${full}-${match[2].padStart(2, '0')}-${match[3].padStart(2, '0')}`;
  // An earlier year is an ambiguous short form (26/11/20): day and year could be swapped.
  return full >= 2000 && isDay(day) ? day : undefined;
}

/**
 * Parses an amount in the banks' formats; null for an empty cell, undefined if it is invalid or has more
 * digits than the currency.
 */
export function readAmount(written: string, currency: Currency): Money | null | undefined {
  const text = written
    .normalize('NFKC')
    .replace(/[\s\u2212]/g, (sign) => (sign === '\u2212' ? '-' : ''))
    .replace(/^(NT\$?|US\$|\$|[A-Z]{3})|(元|[A-Z]{3})$/gi, '');
  if (text === '' || text === '-' || text === '--') return null;
  const match = /^(\(?)([+-]?)(?:NT\$?|US\$|\$)?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d*))?(-?)(\)?)$/i.exec(text);
  if (!match || (match[1] === '(') !== (match[6] === ')')) return undefined;
  const minus = [match[1] === '(', match[2] === '-', match[5] === '-'].filter(Boolean).length;
  if (minus > 1) return undefined;
  const digits = currencies[currency].billingDigits;
  const fraction = (match[4] ?? '').slice(0, digits);
  // Zeros after the currency's last digit are harmless.
  if (/[1-9]/.test((match[4] ?? '').slice(digits))) return undefined;
  return parseMoney(
    `${minus === 1 ? '-' : ''}${(match[3] ?? '').replaceAll(',', '')}${fraction === '' ? '' : `.${fraction}`}`,
    currency,
  );
}

export type LineMistake = (typeof lineMistakes)[number];
export type ReadRow = {
  readonly line: number;
  readonly day: LocalDay;
  readonly amount: Money;
  readonly words: string;
  readonly payerName: string;
  readonly payerAccount: string;
  readonly balance: Money | null;
};
const longestWords = 500;
const longestName = 120;

/** A cell's text without control characters, which screens do not show, and without runs of spaces. */
const clean = (cell: string | undefined): string =>
  (cell ?? '')
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, ' ')
    .replace(/[\s\u3000]+/g, ' ')
    .trim();

/** Parses one line; returns an error code if it is invalid. Outgoing money is negative. */
export function readLine(
  cells: readonly string[],
  line: number,
  mapping: Mapping,
  currency: Currency,
): ReadRow | { readonly code: LineMistake } {
  const cell = (field: BankField): string => {
    const at = mapping[field];
    return clean(at === undefined ? '' : cells[at]);
  };
  if (mapping.day >= cells.length) return { code: 'banking.line_columns' };
  const day = readDay(cell('day'));
  if (!day) return { code: 'banking.line_day' };
  const [credit, debit, signed, balance] = [
    readAmount(cell('credit'), currency),
    readAmount(cell('debit'), currency),
    readAmount(cell('amount'), currency),
    readAmount(cell('balance'), currency),
  ];
  if (credit === undefined || debit === undefined || signed === undefined)
    return { code: 'banking.line_amount' };
  if (balance === undefined) return { code: 'banking.line_balance' };
  if (credit && debit && credit.minor !== 0n && debit.minor !== 0n) return { code: 'banking.line_both' };
  // In a separate column, outgoing money is written with or without a minus.
  const outgoing = debit ? (debit.minor < 0n ? debit.minor : -debit.minor) : 0n;
  const minor = (signed?.minor ?? 0n) + (credit?.minor ?? 0n) + outgoing;
  if (minor === 0n) return { code: 'banking.line_no_amount' };
  const words = [cell('description'), cell('reference')].filter((each) => each !== '').join(' ');
  const [payerName, payerAccount] = [cell('payerName'), cell('payerAccount')];
  if (words.length > longestWords || payerName.length > longestName || payerAccount.length > longestName)
    return { code: 'banking.line_long' };
  return { line, day, amount: money(minor, currency), words, payerName, payerAccount, balance };
}

/** Numbers equal rows of a day, so that a row is identified in every statement that contains the day. */
export function numbered<R extends Pick<ReadRow, 'day' | 'amount' | 'words'>>(
  rows: readonly R[],
): (R & { ordinal: number })[] {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const key = JSON.stringify([row.day, String(row.amount.minor), row.words]);
    const ordinal = (seen.get(key) ?? 0) + 1;
    seen.set(key, ordinal);
    return { ...row, ordinal };
  });
}

export type Chain = { readonly opening: bigint; readonly closing: bigint; readonly isWhole: boolean };

/**
 * Returns the balance before the first and after the last row, and whether each follows from the previous
 * one; statements run forwards or backwards.
 */
export function chainOf(rows: readonly Pick<ReadRow, 'amount' | 'balance'>[]): Chain | undefined {
  const steps = rows.flatMap(({ amount, balance }) =>
    balance ? [{ amount: amount.minor, balance: balance.minor }] : [],
  );
  if (steps.length === 0 || steps.length !== rows.length) return undefined;
  const chain = (list: typeof steps): Chain => ({
    opening: (list[0]?.balance ?? 0n) - (list[0]?.amount ?? 0n),
    closing: list.at(-1)?.balance ?? 0n,
    isWhole: list.every(
      (step, index) => index === 0 || (list[index - 1]?.balance ?? 0n) + step.amount === step.balance,
    ),
  });
  const forwards = chain(steps);
  const backwards = chain(steps.toReversed());
  return !forwards.isWhole && backwards.isWhole ? backwards : forwards;
}
