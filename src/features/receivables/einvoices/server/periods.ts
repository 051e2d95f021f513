// The data an accountant files for two months: the sums of the tax return (401, 403), and unused numbers
// (E0402).
import type { FileAnswer, In } from '#kernel/contract.ts';
import { money, moneyText, type Money } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthPeriod } from '#kernel/time.ts';
import { csvMediaType, csvOf, figure, type CsvCell } from '#platform/server/files/csv.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { einvoicesErrors, type einvoices, type PeriodSummary } from '../contract.ts';
import {
  einvoiceNumber,
  einvoiceZone,
  isPeriod,
  nextPeriod,
  periodOf,
  periodWords,
  unusedRanges,
} from '../rules.ts';
import { ProviderRefused, ProviderUnsure, type UnusedNumbers } from './provider.ts';
import { einvoiceSetting, providerNow, sellerParty, type CreateProvider } from './settings.ts';
import { allowancesBetween, salesOf, standingOfPeriod, type PeriodSums } from './store-period.ts';
import { markReported, tracksOf, usedNumbers, type StoredTrack } from './store-tracks.ts';

const twd = (minor: bigint): Money => money(minor, 'TWD');
const kindSums = ({ net, tax, ...sums }: PeriodSums): PeriodSummary['sales'][number] => ({
  ...sums,
  net: twd(net),
  tax: twd(tax),
  total: twd(net + tax),
});
const sumOf = (sums: readonly PeriodSums[], of: 'net' | 'tax'): bigint =>
  sums.reduce((all, each) => all + each[of], 0n);

/** The start and (exclusive) end of a period in Taiwan. */
function spanOf(period: string): { start: Date; end: Date } {
  if (!isPeriod(period)) throw domainError(einvoicesErrors, 'einvoices.period_wrong', {}, ['period']);
  return {
    start: monthPeriod(period as BillingMonth, einvoiceZone).start,
    end: monthPeriod(nextPeriod(period) as BillingMonth, einvoiceZone).start,
  };
}

type Unused = { readonly track: StoredTrack; readonly ranges: readonly { from: number; to: number }[] };
async function unusedOf(ctx: Ctx, period: string): Promise<Unused[]> {
  const found: Unused[] = [];
  for (const track of await tracksOf(ctx, period))
    found.push({ track, ranges: unusedRanges(track.from, track.to, await usedNumbers(ctx, track.id)) });
  return found;
}

async function summaryOf(ctx: Ctx, period: BillingMonth): Promise<PeriodSummary> {
  const span = spanOf(period);
  const [sales, allowances] = [
    await salesOf(ctx, period),
    await allowancesBetween(ctx, span.start, span.end),
  ];
  const net = sumOf(sales, 'net') - sumOf(allowances, 'net');
  const tax = sumOf(sales, 'tax') - sumOf(allowances, 'tax');
  const unused = await unusedOf(ctx, period);
  const { provider } = await ctx.setting(einvoiceSetting);
  return {
    period,
    sales: sales.map(kindSums),
    allowances: allowances.map(kindSums),
    net: twd(net),
    tax: twd(tax),
    total: twd(net + tax),
    ...(await standingOfPeriod(ctx, period, span)),
    unused: unused.flatMap(({ track, ranges }) =>
      ranges.map((range) => ({ letters: track.letters, ...range, count: range.to - range.from + 1 })),
    ),
    canReportUnused:
      provider === 'turnkey' &&
      period < periodOf(ctx.now) &&
      unused.some(({ track, ranges }) => track.unusedReportedAt === null && ranges.length > 0),
  };
}

/** Returns the data for the tax return of a period. */
export async function periodSummary(
  ctx: Ctx,
  input: In<typeof einvoices.periodSummary>,
): Promise<PeriodSummary> {
  return summaryOf(ctx, input.period);
}

/** Returns the summary of a period as CSV, with unformatted figures. */
export async function periodCsv(ctx: Ctx, input: In<typeof einvoices.periodCsv>): Promise<FileAnswer> {
  const summary = await summaryOf(ctx, input.period);
  const language = input.language ?? ctx.language;
  const translate = (key: string): string => ctx.text(key, {}, language);
  // used as: 'einvoices.kind_*', 'einvoices.tax_*', 'einvoices.row_*', 'einvoices.return_*'
  const row = (
    what: string,
    kind: string,
    taxKind: string,
    count: number,
    sums: readonly Money[],
  ): CsvCell[] => [
    translate(`einvoices.row_${what}`),
    kind === '' ? '' : translate(`einvoices.kind_${kind}`),
    taxKind === '' ? '' : translate(`einvoices.tax_${taxKind}`),
    figure(String(count)),
    ...(sums.length === 0 ? ['', '', ''] : sums.map((sum) => figure(moneyText(sum)))),
  ];
  const rows = [
    ...summary.sales.map((each) =>
      row('sales', each.kind, each.taxKind, each.count, [each.net, each.tax, each.total]),
    ),
    ...summary.allowances.map((each) =>
      row('allowances', each.kind, each.taxKind, each.count, [each.net, each.tax, each.total]),
    ),
    row(
      'sum',
      '',
      '',
      summary.sales.reduce((sum, { count }) => sum + count, 0),
      [summary.net, summary.tax, summary.total],
    ),
    row('voided', '', '', summary.voided, []),
    ...summary.unused.map((each): CsvCell[] => [
      `${translate('einvoices.row_unused')} ${einvoiceNumber(each.letters, each.from)}–${einvoiceNumber(each.letters, each.to)}`,
      '',
      '',
      figure(String(each.count)),
      '',
      '',
      '',
    ]),
  ];
  const columns = ['what', 'kind', 'tax_kind', 'count', 'net', 'tax', 'total'] as const;
  return {
    fileName: `einvoices-${summary.period}.csv`,
    mediaType: csvMediaType,
    body: csvOf(
      columns.map((column) => translate(`einvoices.return_${column}`)),
      rows,
    ),
  };
}

const digits = (number: number): string => String(number).padStart(8, '0');

/**
 * Reports the unused numbers of a past period, range by range; a range whose report failed is reported by the
 * next attempt. Each report is sent outside any transaction and stored afterwards: sending it twice has the
 * same effect.
 */
export const reportUnused =
  (createProvider: CreateProvider) =>
  async (ctx: Ctx, input: In<typeof einvoices.reportUnused>): Promise<PeriodSummary> => {
    const { app, actor, language, requestId } = ctx;
    const unit = <T>(run: (unit: Ctx) => Promise<T>): Promise<T> =>
      unitOfWork(app, { actor, language, requestId }, run);
    const { period } = input;
    const { end } = spanOf(period);
    if (ctx.now < end) throw domainError(einvoicesErrors, 'einvoices.period_runs');
    const provider = await providerNow(app, ctx.db, createProvider);
    if (!provider) throw domainError(einvoicesErrors, 'einvoices.off');
    if (provider.reportUnused === null) throw domainError(einvoicesErrors, 'einvoices.unused_by_provider');
    const seller = await sellerParty(ctx);
    const open = (await unusedOf(ctx, period)).filter(
      ({ track, ranges }) => track.unusedReportedAt === null && ranges.length > 0,
    );
    if (open.length === 0) throw domainError(einvoicesErrors, 'einvoices.unused_already');
    for (const { track, ranges } of open) {
      await report(app, provider.reportUnused, {
        seller,
        period,
        track: track.letters,
        range: { from: digits(track.from), to: digits(track.to) },
        unused: ranges.map(({ from, to }) => ({ from: digits(from), to: digits(to) })),
      });
      await unit(async (inner) => {
        await markReported(inner, [track.id]);
        inner.audit('einvoices.reportUnused', track.id, {
          period: periodWords(period),
          numbers: ranges.map(({ from, to }) => `${einvoiceNumber(track.letters, from)}–${digits(to)}`),
        });
        inner.publish('system/billing', { kind: 'einvoice' });
      });
    }
    return unit((inner) => summaryOf(inner, period));
  };

async function report(
  app: App,
  send: (unused: UnusedNumbers) => Promise<void>,
  unused: UnusedNumbers,
): Promise<void> {
  try {
    await send(unused);
  } catch (error) {
    app.log.warn({ err: error, period: unused.period }, 'unused numbers could not be reported');
    if (error instanceof ProviderRefused)
      throw domainError(einvoicesErrors, 'einvoices.provider_refused', {
        code: error.code,
        reason: error.message,
      });
    if (error instanceof ProviderUnsure)
      throw domainError(einvoicesErrors, 'einvoices.provider_silent', { reason: error.message });
    throw error;
  }
}
