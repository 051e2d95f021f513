// Sources and imports as Admins see them, with reasons as sentences.
import type { TextParams } from '#kernel/text.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { rejectionText } from '#features/metering/usage/rules.ts';
import type { CostImport, CostPeriod, CostSource } from '../contract.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { organizationsByIds, payersByIds, ratesOf, type PayerRow, type SourceRow } from './store.ts';
import { periodsOf, type CountedImport, type PeriodRow } from './store-imports.ts';
import { soldTotals } from './store-sold.ts';

/** Translates a reason: one of this feature's, or one of metering's rejections. */
export const reasonText = (ctx: Ctx, code: string): string =>
  rejectionText((key, params) => ctx.text(key, params), code, {});

export const payerView = ({ id, name, organization }: PayerRow): CostSource['payers'][number] => ({
  id,
  name,
  organization,
});

/** Returns sources with their periods, rates and payers. */
export async function sourceViews(ctx: Ctx, rows: readonly SourceRow[]): Promise<CostSource[]> {
  const ids = rows.map(({ id }) => id);
  const [periods, sold, rates] = [
    await periodsOf(ctx, ids),
    await soldTotals(ctx, ids),
    await ratesOf(ctx, ids),
  ];
  const payers = await payersByIds(
    ctx,
    rows.flatMap(({ rules, selling }) => [
      ...rules.flatMap((rule) => rule.subscriptionId ?? []),
      ...selling.markUps.flatMap((markUp) => markUp.subscriptionId ?? []),
    ]),
  );
  const organizations = await organizationsByIds(
    ctx,
    rows.flatMap(({ selling }) => selling.markUps.flatMap((markUp) => markUp.organizationId ?? [])),
  );
  return rows.map((row): CostSource => {
    const named = new Set<string | null>([
      ...row.rules.map((rule) => rule.subscriptionId),
      ...row.selling.markUps.map((markUp) => markUp.subscriptionId),
    ]);
    return {
      id: row.id,
      name: row.name,
      place: row.place,
      assumedCurrency: row.assumedCurrency,
      isPaused: row.isPaused,
      rules: row.rules,
      selling: row.selling,
      payers: [...payers.values()].filter(({ id }) => named.has(id)).map(payerView),
      organizations: organizations.filter(({ id }) =>
        row.selling.markUps.some(({ organizationId }) => organizationId === id),
      ),
      periods: periods
        .filter(({ sourceId }) => sourceId === row.id)
        .map((period) => periodView(ctx, row, period, sold)),
      rates: rates.filter(({ sourceId }) => sourceId === row.id).map(({ sourceId: _of, ...rate }) => rate),
      nextPullAt: row.place.kind === 'upload' || row.isPaused ? null : row.nextPullAt,
      lastPullAt: row.lastPullAt,
      // used as: 'costs.place_*'
      failure:
        row.failureCode === null
          ? null
          : failureView(ctx, `place_${row.failureCode}`, { detail: row.failureDetail ?? '' }, null, null),
      version: row.version,
      createdAt: row.createdAt,
    };
  });
}

function periodView(
  ctx: Ctx,
  source: SourceRow,
  period: PeriodRow,
  sold: Awaited<ReturnType<typeof soldTotals>>,
): CostPeriod {
  const own = sold.filter((each) => each.sourceId === source.id && each.periodStart === period.periodStart);
  const { cost = [], tax = [], assigned = [], unassigned = [], ignored = [] } = period.totals;
  return {
    periodStart: period.periodStart as LocalDay,
    periodEnd: period.periodEnd as LocalDay,
    version: period.version,
    importId: period.importId,
    importedAt: period.importedAt,
    rows: Number(period.rows),
    cost,
    tax,
    assigned,
    unassigned,
    ignored,
    sold: own.filter(({ reason }) => reason === null).map(({ amount, currency }) => ({ amount, currency })),
    notSold: own.flatMap(({ reason, amount, currency }) =>
      reason === null ? [] : [{ reason, message: reasonText(ctx, reason), amount, currency }],
    ),
    isOutdated: period.soldTerms !== source.terms,
  };
}

function failureView(
  ctx: Ctx,
  code: string,
  params: TextParams,
  row: number | null,
  column: string | null,
): NonNullable<CostImport['failure']> {
  // used as: 'costs.failure_*'
  return { code, message: ctx.text(`costs.failure_${code}`, params), row, column };
}

export const importView = (ctx: Ctx, row: CountedImport): CostImport => ({
  id: row.id,
  sourceId: row.sourceId,
  name: row.name,
  state: row.state,
  format: row.format,
  bytes: Number(row.bytes),
  bytesRead: Number(row.bytesRead),
  rows: Number(row.rows),
  assumed:
    row.assumedCurrency === null ? null : { rows: Number(row.assumedRows), currency: row.assumedCurrency },
  periods: row.periods as LocalDay[],
  cost: row.cost,
  failure:
    row.failureCode === null
      ? null
      : failureView(
          ctx,
          row.failureCode,
          row.failureParams ?? {},
          row.failureRow === null ? null : Number(row.failureRow),
          row.failureColumn,
        ),
  createdAt: row.createdAt,
  endedAt: row.endedAt,
});
