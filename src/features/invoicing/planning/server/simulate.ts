// The response and the export of a rehearsal.
import type { FileAnswer, In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { money, moneyText } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import { csvMediaType, csvOf, figure, type CsvCell } from '#platform/server/files/csv.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { xlsxMediaType, xlsxOf } from '#platform/server/files/spreadsheet.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { AffectedOrganization, planning, Rehearsal } from '../contract.ts';
import { changeOf, differenceOf, type Customer } from '../rules.ts';
import { rehearse, type Rehearsed } from './rehearse.ts';

/** The maximum number of customers in a response; the export has all. */
const maxNamed = 50;

/** Returns what the real usage of closed months would have cost with an unpublished price. */
export async function simulate(ctx: Ctx, input: In<typeof planning.simulate>): Promise<Rehearsal> {
  const { service, months, subscriptions, names, summary, warnings } = await rehearse(ctx, input);
  const { currency } = input.pricing;
  const named = (customer: Customer): AffectedOrganization => ({
    organizationId: customer.organizationId as Id<'org'>,
    name: required(names.get(customer.organizationId), 'a customer has a name'),
    ...changeOf(customer, currency),
    months: months.map((month, index) => ({
      month,
      before: money(customer.months[index]?.before ?? 0n, currency),
      after: money(customer.months[index]?.after ?? 0n, currency),
    })),
  });
  return {
    serviceId: service.id,
    currency,
    asOf: ctx.now,
    months: [...months],
    subscriptions,
    organizations: summary.customers.length,
    counts: summary.counts,
    total: differenceOf(summary.total, summary.exact, currency),
    byMonth: summary.byMonth.map((each) => ({
      month: each.month,
      counts: each.counts,
      ...differenceOf(each, each.exact, currency),
    })),
    affected: summary.customers.slice(0, maxNamed).map(named),
    warnings: [...warnings],
  };
}

/** Exports every customer of the rehearsal, most affected first. */
export async function exportSimulation(
  ctx: Ctx,
  input: In<typeof planning.exportSimulation>,
): Promise<FileAnswer> {
  const rehearsed = await rehearse(ctx, input);
  const { header, rows } = tableOf(ctx, rehearsed, input.pricing.currency);
  const [from, to] = [rehearsed.months[0] ?? '', rehearsed.months.at(-1) ?? ''];
  const title = `rehearsal-${from}-${to}`;
  // The audit log records the user who exports customers' figures, and their number, before the first row is
  // sent.
  await unitOfWork(
    ctx.app,
    { actor: ctx.actor, language: ctx.language, requestId: ctx.requestId },
    async (unit) =>
      unit.audit('planning.exportSimulation', input.serviceId, {
        format: input.format,
        from,
        to,
        rows: rows.length,
      }),
  );
  return input.format === 'csv'
    ? { fileName: `${title}.csv`, mediaType: csvMediaType, totalRows: rows.length, body: csvOf(header, rows) }
    : {
        fileName: `${title}.xlsx`,
        mediaType: xlsxMediaType,
        totalRows: rows.length,
        body: xlsxOf(title, header, rows),
      };
}

function tableOf(
  ctx: Ctx,
  { months, names, summary }: Rehearsed,
  currency: In<typeof planning.simulate>['pricing']['currency'],
): { header: string[]; rows: CsvCell[][] } {
  const amount = (minor: bigint): CsvCell => figure(moneyText(money(minor, currency)));
  const header = [
    ctx.text('planning.csv_organization'),
    ctx.text('planning.csv_organization_id'),
    ctx.text('planning.csv_currency'),
    ctx.text('planning.csv_before'),
    ctx.text('planning.csv_after'),
    ctx.text('planning.csv_difference'),
    ctx.text('planning.csv_percent'),
    ...months.flatMap((month) => [
      ctx.text('planning.csv_before_month', { month }),
      ctx.text('planning.csv_after_month', { month }),
    ]),
  ];
  const rows = summary.customers.map((customer): CsvCell[] => {
    const { percent } = changeOf(customer, currency);
    return [
      names.get(customer.organizationId) ?? '',
      customer.organizationId,
      currency,
      amount(customer.before),
      amount(customer.after),
      amount(customer.after - customer.before),
      percent === null ? '' : figure(percent.toFixed(1)),
      ...customer.months.flatMap((month) => (month ? [amount(month.before), amount(month.after)] : ['', ''])),
    ];
  });
  return { header, rows };
}
