// Rules of files for accounting programs: the columns of each, and the formats of days and amounts.
//
// Xero: "Enter multiple manual journals using an import template",
// https://help.xero.com/nz/ManualJournalsImport – same columns, days as dd/mm/yyyy, debits positive, at most
// 300 lines.
// QuickBooks Online: "Import journal entries",
// https://quickbooks.intuit.com/learn-support/en-au/help-article/import-export-files/import-journal-entries-quickbooks-online/L4tQBwbs7_AU_en_AU
// – journal number, day, account name, description, debits, credits.
// 鼎新 and 文中 publish no format: their imports let users map a file's columns, and the columns here are those
// of a voucher (傳票) in each.
import { moneyText, type Money } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { AccountingSettings, JournalFormat } from './contract.ts';

/** The most lines that Xero accepts at once. */
export const xeroLines = 300;

export type FileLine = {
  readonly number: string;
  readonly day: LocalDay;
  readonly voucherSummary: string;
  readonly position: number;
  readonly account: string;
  readonly code: string;
  readonly name: string;
  readonly department: string;
  readonly taxName: string;
  readonly summary: string;
  /** The word for its side in Chinese, which Taiwanese programs expect whatever the export's language. */
  readonly sideInChinese: string;
  /** The amount on its side is positive; the other one is zero. */
  readonly debit: Money;
  readonly credit: Money;
};
/** A cell is a text, or a number for calculations. */
export type FileCell = string | { readonly figure: string };

const figure = (value: string): FileCell => ({ figure: value });
const side = (amount: Money): FileCell => (amount.minor === 0n ? '' : figure(moneyText(amount)));
const isDebit = ({ debit }: FileLine): boolean => debit.minor > 0n;
const amountOf = (line: FileLine): string => moneyText(isDebit(line) ? line.debit : line.credit);
const parts = (day: LocalDay): [year: string, month: string, date: string] => [
  day.slice(0, 4),
  day.slice(5, 7),
  day.slice(8),
];
/** The year of the Republic of China calendar: 2026 is 115. */
function dayOfRepublic(day: LocalDay): string {
  const [year, month, date] = parts(day);
  return `${String(Number(year) - 1911).padStart(3, '0')}${month}${date}`;
}

type Layout = {
  readonly header: readonly string[];
  /** The header's names: fixed ones, or keys of texts in the language of the export or always in Chinese. */
  readonly names: 'fixed' | 'own' | 'zhTW';
  readonly cells: (line: FileLine, settings: AccountingSettings) => readonly FileCell[];
};

export const layouts: Readonly<Record<JournalFormat, Layout>> = {
  csv: {
    names: 'own',
    header: [
      'column_voucher',
      'column_day',
      'column_position',
      'column_code',
      'column_name',
      'column_department',
      'column_debit',
      'column_credit',
      'column_currency',
      'column_summary',
      'column_account',
    ],
    cells: (line) => [
      line.number,
      line.day,
      figure(String(line.position)),
      line.code,
      line.name,
      line.department,
      side(line.debit),
      side(line.credit),
      line.debit.currency,
      line.summary,
      line.account,
    ],
  },
  xero: {
    names: 'fixed',
    header: [
      '*Narration',
      '*Date',
      'Description',
      '*AccountCode',
      '*TaxRate',
      '*Amount',
      'TrackingName1',
      'TrackingOption1',
      'TrackingName2',
      'TrackingOption2',
    ],
    cells: (line, { xeroTaxRate, xeroTracking }) => {
      const [year, month, date] = parts(line.day);
      const hasTracking = line.department !== '' && xeroTracking !== '';
      return [
        // Lines with the same narration and day form one journal, so the number makes it unique.
        `${line.number} ${line.voucherSummary}`,
        `${date}/${month}/${year}`,
        line.summary,
        line.code,
        line.taxName === '' ? xeroTaxRate : line.taxName,
        figure(`${isDebit(line) ? '' : '-'}${amountOf(line)}`),
        hasTracking ? xeroTracking : '',
        hasTracking ? line.department : '',
        '',
        '',
      ];
    },
  },
  quickbooks: {
    names: 'fixed',
    header: [
      'Journal No',
      'Journal Date',
      'Account Name',
      'Debits',
      'Credits',
      'Description',
      'Class',
      'Currency',
    ],
    cells: (line) => {
      const [year, month, date] = parts(line.day);
      return [
        line.number,
        `${month}/${date}/${year}`,
        line.name,
        side(line.debit),
        side(line.credit),
        line.summary,
        line.department,
        line.debit.currency,
      ];
    },
  },
  dingxin: {
    names: 'zhTW',
    header: [
      'tw_voucher_type',
      'tw_voucher_number',
      'tw_day',
      'tw_position',
      'tw_side',
      'tw_account',
      'tw_department',
      'tw_amount',
      'tw_summary',
      'tw_currency',
    ],
    cells: (line, { voucherType }) => [
      voucherType,
      line.number,
      line.day.replaceAll('-', ''),
      String(line.position).padStart(4, '0'),
      // 1 is a debit, -1 a credit.
      figure(isDebit(line) ? '1' : '-1'),
      line.code,
      line.department,
      figure(amountOf(line)),
      line.summary,
      line.debit.currency,
    ],
  },
  winton: {
    names: 'zhTW',
    header: ['tw_day', 'tw_number', 'tw_side', 'tw_code', 'tw_summary', 'tw_amount', 'tw_unit'],
    cells: (line) => [
      dayOfRepublic(line.day),
      line.number,
      line.sideInChinese,
      line.code,
      line.summary,
      figure(amountOf(line)),
      line.department,
    ],
  },
};

/** Whether a file of a format is limited to one currency, because the format has no column for it. */
export const isOfOneCurrency = (format: JournalFormat): boolean => format !== 'csv';
/** Whether a format's program (in Taiwan) may need Big5. */
export const mayBeBig5 = (format: JournalFormat): boolean => format === 'dingxin' || format === 'winton';
/**
 * A byte order mark tells spreadsheets that a file is UTF-8; Xero and QuickBooks would read it as part of the
 * first name.
 */
export const hasMark = (format: JournalFormat): boolean => format !== 'xero' && format !== 'quickbooks';
