// Every report as a spreadsheet file: the same figures as on the page, but all rows.
import type { FileAnswer, In } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { moneyText, type Currency, type Money } from '#kernel/money.ts';
import { dayOf, monthNumber, monthOf } from '#kernel/time.ts';
import { figure, type CsvCell } from '#platform/server/files/csv.ts';
import { datedTitle, exportTable } from '#platform/server/files/export.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import { reportingCurrency } from '#features/reporting/rates/server/index.ts';
import { agingBuckets, metricsErrors, movementKinds, type metrics } from '../contract.ts';
import { consolidated } from './consolidated.ts';
import { settledIn } from './exchange.ts';
import { forecast } from './forecast.ts';
import { marginOf } from './margin.ts';
import { cohortsOf, monthsOf, summary } from './read.ts';
import { between, dayEnd } from './receivables.ts';
import { lastClosed } from './store.ts';
import {
  agedQuery,
  changesQuery,
  countOf,
  givenRows,
  revenueQuery,
  type ReportRow,
} from './store-exports.ts';
import { allMargins } from './store-margin.ts';
import { receiptsOf, taxesOf } from './store-ledger.ts';
import { revenueOf } from './store-revenue.ts';
import type { RawBuilder } from 'kysely';

type Input = In<typeof metrics.export>;
type Report = { readonly columns: readonly string[]; readonly query: RawBuilder<ReportRow> };
const exportedMonths = 60;
const revenueColumns = [
  'billed',
  'promotional',
  'deferred',
  'released',
  'credited',
  'expired',
  'total',
] as const;

const amount = (of: Money | null): string => (of === null ? '' : moneyText(of));

function needed<T>(value: T | undefined, code: 'metrics.month_missing' | 'metrics.range_missing'): T {
  if (value === undefined) throw domainError(metricsErrors, code);
  return value;
}

async function monthsReport(ctx: Ctx, currency: Currency, isConsolidated: boolean): Promise<Report> {
  const last = await lastClosed(ctx, monthOf(ctx.now, await ctx.setting(timeZoneSetting)));
  const months =
    last === null
      ? []
      : isConsolidated
        ? (await summary(ctx, { consolidated: true, months: exportedMonths })).months
        : await monthsOf(ctx, currency, monthNumber(last) - exportedMonths + 1, monthNumber(last));
  const rows = months.slice(
    Math.max(
      0,
      months.findIndex(({ recurring, usage, once }) => recurring.minor + usage.minor + once.minor !== 0n),
    ),
  );
  return {
    columns: [
      'month',
      'opening',
      ...movementKinds,
      ...(isConsolidated ? ['exchange'] : []),
      'recurring',
      'usage',
      'once',
      'customers',
      'average',
      'net_retention',
      'revenue_churn',
      'customer_churn',
    ],
    query: givenRows(
      rows.map((row) => [
        row.month,
        amount(row.opening),
        ...row.movements.map((one) => amount(one.amount)),
        ...(isConsolidated ? [amount(row.exchange)] : []),
        amount(row.recurring),
        amount(row.usage),
        amount(row.once),
        String(row.customers),
        amount(row.average),
        row.netRetention ?? '',
        row.revenueChurn ?? '',
        row.customerChurn ?? '',
      ]),
    ),
  };
}

async function cohortReport(ctx: Ctx, currency: Currency): Promise<Report> {
  const cohorts = await cohortsOf(ctx, currency, exportedMonths);
  return {
    columns: ['first_month', 'month', 'customers', 'customers_percent', 'recurring', 'recurring_percent'],
    query: givenRows(
      cohorts.flatMap((cohort) =>
        cohort.kept.map((one) => [
          cohort.month,
          one.month,
          String(one.customers),
          one.customersPercent ?? '',
          amount(one.amount),
          one.amountPercent ?? '',
        ]),
      ),
    ),
  };
}

/** Every settlement of bills in other currencies, with both rates. */
async function exchangeReport(ctx: Ctx, input: Omit<Input, 'report' | 'currency'>): Promise<Report> {
  const { found } = await settledIn(ctx, {
    from: needed(input.from, 'metrics.range_missing'),
    to: needed(input.to, 'metrics.range_missing'),
  });
  return {
    columns: [
      'day',
      'organization',
      'settlement',
      'document',
      'amount',
      'currency_of',
      'bill_day',
      'bill_rate',
      'bill_rate_day',
      'rate_used',
      'rate_day',
      'booked',
      'value',
      'gain',
    ],
    query: givenRows(
      found.map(({ row, shown: one }) => [
        one.day,
        row.organization,
        one.kind,
        one.number === '' ? one.billNumber : `${one.billNumber} ${one.number}`,
        amount(one.amount),
        row.currency,
        one.billDay,
        one.billRate?.text ?? '',
        one.billRate?.day ?? '',
        one.rate?.text ?? '',
        one.rate?.day ?? '',
        amount(one.booked),
        amount(one.value),
        amount(one.gain),
      ]),
    ),
  };
}

async function taxReport(
  ctx: Ctx,
  currency: Currency,
  input: Omit<Input, 'report' | 'currency'>,
): Promise<Report> {
  const rows = await taxesOf(ctx, currency, await rangeOf(ctx, input));
  return {
    columns: ['category', 'rate', 'net', 'tax', 'credited_net', 'credited_tax', 'total'],
    query: givenRows(
      rows.map((row) => [
        row.category,
        row.rate,
        amount(row.net),
        amount(row.tax),
        amount(row.creditedNet),
        amount(row.creditedTax),
        amount(row.total),
      ]),
    ),
  };
}

async function reportOf(ctx: Ctx, { report, currency, ...input }: Input): Promise<Report> {
  switch (report) {
    case 'months':
      return monthsReport(ctx, currency, input.consolidated ?? false);
    case 'cohorts':
      return cohortReport(ctx, currency);
    case 'movements':
      return {
        columns: ['organization', 'kind', 'opening', 'recurring', 'change'],
        query: changesQuery(currency, needed(input.month, 'metrics.month_missing')),
      };
    case 'customers':
      return {
        columns: ['organization', 'recurring', 'usage', 'once', 'total'],
        query: revenueQuery(currency, needed(input.month, 'metrics.month_missing')),
      };
    case 'margin': {
      const month = needed(input.month, 'metrics.month_missing');
      const rows = await allMargins(
        ctx,
        marginOf({ currency, month, span: input.span }),
        input.by ?? 'customer',
      );
      return {
        columns: [
          input.by === 'service' ? 'service' : 'organization',
          'total',
          'known_revenue',
          'known_share',
          'cost',
          'margin',
          'margin_percent',
        ],
        query: givenRows(
          rows.map((row) => [
            row.name,
            amount(row.revenue),
            amount(row.knownRevenue),
            row.knownShare ?? '',
            row.cost ?? 'unknown',
            row.margin ?? '',
            row.percent ?? '',
          ]),
        ),
      };
    }
    case 'forecast': {
      const { months } = await forecast(ctx, { currency });
      return {
        columns: ['month', 'recurring', 'usage', 'expected', 'low', 'high'],
        query: givenRows(
          months.map((one) => [
            one.month,
            amount(one.recurring),
            amount(one.usage),
            amount(one.total),
            amount(one.low),
            amount(one.high),
          ]),
        ),
      };
    }
    case 'receivables': {
      const zone = await ctx.setting(timeZoneSetting);
      return {
        columns: ['organization', ...agingBuckets, 'total'],
        query: agedQuery(currency, dayEnd(input.day ?? dayOf(ctx.now, zone), zone)),
      };
    }
    case 'consolidated': {
      const [from, to] = [
        needed(input.from, 'metrics.range_missing'),
        needed(input.to, 'metrics.range_missing'),
      ];
      const { revenue, receivables } = await consolidated(ctx, { from, to });
      return {
        columns: ['figure', 'month', 'amount', 'currency_of', 'rate_used', 'rate_day', 'converted'],
        query: givenRows(
          [
            ...revenue.map((one) => ({ figure: 'revenue', ...one })),
            ...receivables.map((one) => ({ figure: 'receivables', month: '', ...one })),
          ].map((one) => [
            one.figure,
            one.month,
            amount(one.amount),
            one.amount.currency,
            one.rate?.text ?? (one.converted === null ? '' : '1'),
            one.rate?.day ?? '',
            amount(one.converted),
          ]),
        ),
      };
    }
    case 'exchange':
      return exchangeReport(ctx, input);
    case 'revenue': {
      const zone = await ctx.setting(timeZoneSetting);
      const rows = await revenueOf(ctx, currency, await rangeOf(ctx, input), zone);
      return {
        columns: ['month', ...revenueColumns],
        query: givenRows(
          rows.map((row) => [row.month, ...revenueColumns.map((column) => amount(row[column]))]),
        ),
      };
    }
    case 'receipts': {
      const zone = await ctx.setting(timeZoneSetting);
      const rows = await receiptsOf(ctx, currency, await rangeOf(ctx, input), zone);
      return {
        columns: ['day', 'method', 'kind', 'count', 'amount', 'fee'],
        query: givenRows(
          rows.map((row) => [
            row.day ?? '',
            row.method,
            row.kind,
            String(row.count),
            amount(row.amount),
            amount(row.fee),
          ]),
        ),
      };
    }
    case 'taxes':
      return taxReport(ctx, currency, input);
  }
}
const rangeOf = (ctx: Ctx, { from, to }: Pick<Input, 'from' | 'to'>) =>
  between(ctx, needed(from, 'metrics.range_missing'), needed(to, 'metrics.range_missing'));

/** Columns with texts; all others hold numbers. */
const textColumns = new Set([
  'document',
  'bill_day',
  'bill_rate_day',
  'currency_of',
  'rate_day',
  'day',
  'organization',
  'kind',
  'method',
  'category',
  'month',
  'first_month',
]);

/** Exports a report as CSV or Excel, with its currency on every row. */
export async function exportReport(ctx: Ctx, input: Input): Promise<FileAnswer> {
  const { report, currency, format, language = ctx.language, ...filter } = input;
  // used as: 'metrics.column_*', 'metrics.report_*', 'metrics.kind_*', 'metrics.settlement_*', 'payments.method_*'
  const translate = (key: string): string => ctx.text(`metrics.${key}`, {}, language);
  const { columns, query } = await reportOf(ctx, input);
  // Reports of several currencies are in the reporting currency.
  const isReporting =
    report === 'consolidated' || report === 'exchange' || (report === 'months' && filter.consolidated);
  const shown = isReporting ? await ctx.setting(reportingCurrency) : currency;
  const cellOf = (text: string, column: string): CsvCell => {
    if ((text === '' && column !== 'service') || column === 'organization') return text;
    if (column === 'service') return text === '' ? translate('no_service') : text;
    if (column === 'cost' && text === 'unknown') return translate('cost_unknown');
    if (column === 'figure') return translate(`report_${text}`);
    if (column === 'settlement') return translate(`settlement_${text}`);
    if (column === 'kind') return translate(`kind_${text}`);
    if (column === 'method') return ctx.text(`payments.method_${text}`, {}, language);
    return textColumns.has(column) ? text : figure(text);
  };
  return exportTable(ctx, {
    format,
    action: 'metrics.export',
    filter: { report, currency, ...filter },
    title: datedTitle(ctx, `${translate(`report_${report}`)}-${shown}`),
    header: [...columns.map((column) => translate(`column_${column}`)), translate('column_currency')],
    total: await countOf(ctx, query),
    query,
    cells: ({ cells }) => [...columns.map((column, index) => cellOf(cells[index] ?? '', column)), shown],
  });
}
