// Exports the explored figures as a file: as the table shows them, or every charge in the columns of FOCUS.
import { inLanguage } from '#kernel/language.ts';
import type { FileAnswer, In } from '#kernel/contract.ts';
import { decimalText, isZero, zero } from '#kernel/decimal.ts';
import { csvMediaType, csvOf, figure, type CsvCell } from '#platform/server/files/csv.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { xlsxMediaType, xlsxOf } from '#platform/server/files/spreadsheet.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { insights } from '../contract.ts';
import { focusColumnsOf, focusNumbers, type FocusVersion } from '../rules-focus.ts';
import { assertRange, readRange, sumsOf, type ReadRange } from './explore.ts';
import { focusRows } from './focus.ts';
import { loadMetered, type Loaded } from './metered-usage.ts';

type Table = { readonly header: readonly string[]; readonly rows: readonly (readonly CsvCell[])[] };

/** Returns a range as a file. The audit log records the downloading user before the first row is sent. */
export async function exportUsage(ctx: Ctx, input: In<typeof insights.exportUsage>): Promise<FileAnswer> {
  const { format, version = '1.2', language = ctx.language, ...range } = input;
  assertRange(range);
  const loaded = await loadMetered(ctx, range.serviceId);
  const { header, rows }: Table =
    format === 'focus'
      ? focusTable(await focusRows(ctx, loaded, range), version)
      : await exploredTable(ctx, language, loaded, range);
  const { actor, requestId } = ctx;
  await unitOfWork(ctx.app, { actor, language: ctx.language, requestId }, async (unit) =>
    unit.audit('insights.exportUsage', undefined, {
      ...range,
      format,
      ...(format === 'focus' && { version }),
      rows: rows.length,
    }),
  );
  const title = `${format === 'focus' ? 'focus' : 'usage'}-${range.from}-${range.to}`;
  return format === 'xlsx'
    ? {
        fileName: `${title}.xlsx`,
        mediaType: xlsxMediaType,
        totalRows: rows.length,
        body: xlsxOf(title, header, rows),
      }
    : {
        fileName: `${title}.csv`,
        mediaType: csvMediaType,
        totalRows: rows.length,
        body: csvOf(header, rows),
      };
}

/** The table, and at its end how the days of each whole month lead to its bills. */
async function exploredTable(
  ctx: Ctx,
  language: NonNullable<In<typeof insights.exportUsage>['language']>,
  loaded: Loaded,
  range: Parameters<typeof readRange>[2],
): Promise<Table> {
  const read = await readRange(ctx, loaded, range);
  const { header, rows } = figuresTable(ctx, language, read);
  const sums = await sumsOf(ctx, loaded, range, read);
  const empty = read.grain === 'hour' ? [''] : [];
  const names = ['wholeMonth', 'fees', 'limits', 'rounding'] as const;
  return {
    header,
    rows: [
      ...rows,
      ...sums.flatMap(({ month, currency, billed: _billed, ...amounts }) =>
        names
          .filter((name) => !isZero(amounts[name]))
          .map((name): CsvCell[] => [
            month,
            ...empty,
            ctx.text(monthTexts[name], {}, language),
            '',
            '',
            figure(decimalText(amounts[name])),
            currency,
          ]),
      ),
    ],
  };
}

const monthTexts = {
  wholeMonth: 'usage.sum_whole_month',
  fees: 'usage.sum_fees',
  limits: 'usage.sum_limits',
  rounding: 'usage.sum_rounding',
} as const;

function figuresTable(
  ctx: Ctx,
  language: NonNullable<In<typeof insights.exportUsage>['language']>,
  { grain, places, groups }: ReadRange,
): Table {
  const translate = (key: string): string => ctx.text(key, {}, language);
  const isHourly = grain === 'hour';
  const header = [
    translate('insights.day'),
    ...(isHourly ? [translate('insights.csv_hour')] : []),
    translate('insights.group'),
    translate('insights.quantity'),
    translate('insights.csv_unit'),
    translate('insights.cost'),
    translate('insights.csv_currency'),
  ];
  const rows = places.flatMap((place, index) =>
    groups.flatMap(({ group, unit, currency, quantities, costs }): CsvCell[][] => {
      const [quantity, cost] = [quantities?.[index], costs?.[index]];
      if (isZero(quantity ?? zero) && isZero(cost ?? zero)) return [];
      // used as: 'insights.group_*'
      const label = group.special === null ? group.label : translate(`insights.group_${group.special}`);
      const name = group.charge
        ? ctx.text(
            'insights.charge_of',
            { service: label, charge: inLanguage(group.charge, language) },
            language,
          )
        : label;
      return [
        [
          place.day,
          ...(isHourly ? [place.start.toISOString()] : []),
          name,
          quantity ? figure(decimalText(quantity)) : '',
          unit ?? '',
          cost ? figure(decimalText(cost)) : '',
          currency,
        ],
      ];
    }),
  );
  return { header, rows };
}

const focusTable = (rows: Awaited<ReturnType<typeof focusRows>>, version: FocusVersion): Table => ({
  header: focusColumnsOf(version),
  rows: rows.map((row) =>
    focusColumnsOf(version).map((column) =>
      focusNumbers.has(column) && row[column] !== '' ? figure(row[column]) : row[column],
    ),
  ),
});
