// One-offs for Admins, as list, detail and export, and for the affected customers.
import { inLanguage } from '#kernel/language.ts';
import type { FileAnswer, In, Out } from '#kernel/contract.ts';
import { money, moneyText } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import { monthOfDay } from '#kernel/time.ts';
import { figure, type CsvCell } from '#platform/server/files/csv.ts';
import { datedTitle, exportTable } from '#platform/server/files/export.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { oneOffsErrors, type OneOffDetail, type oneOffs, type UpcomingOneOff } from '../contract.ts';
import {
  countOneOffs,
  oneOffById,
  oneOffOf,
  oneOffsQuery,
  pageOfOneOffs,
  stepsOf,
  upcomingOf,
  type OneOffRow,
} from './store.ts';

/** A row with its history. */
export const detailOf = async (ctx: Ctx, row: OneOffRow): Promise<OneOffDetail> => ({
  ...oneOffOf(row),
  history: await stepsOf(ctx, row.id),
});

export async function listOneOffs(
  ctx: Ctx,
  input: In<typeof oneOffs.listOneOffs>,
): Promise<Out<typeof oneOffs.listOneOffs>> {
  const page = await pageOfOneOffs(ctx, input);
  return { ...page, awaiting: await countOneOffs(ctx, { state: 'awaiting_approval' }) };
}

export async function getOneOff(ctx: Ctx, { oneOffId }: In<typeof oneOffs.getOneOff>): Promise<OneOffDetail> {
  const row = await oneOffById(ctx, oneOffId);
  if (!row) throw domainError(oneOffsErrors, 'oneoffs.not_found');
  return detailOf(ctx, row);
}

const upcoming = ({
  id,
  name,
  kind,
  quantity,
  unitPrice,
  amountMinor,
  currency,
  chargeOn,
  subscriptionId,
  service,
  billing,
}: OneOffRow): UpcomingOneOff => ({
  id,
  name,
  kind,
  quantity,
  unitPrice,
  amount: money(amountMinor, currency),
  chargeOn,
  subscriptionId,
  service,
  billing,
  month: monthOfDay(chargeOn),
});

/** Returns the one-offs on the caller's organization's next bills, without Admin-only data. */
export async function upcomingOneOffs(ctx: Ctx): Promise<Out<typeof oneOffs.upcomingOneOffs>> {
  return { items: (await upcomingOf(ctx, tenant(ctx))).map(upcoming) };
}

// used as: 'oneoffs.column_*', 'oneoffs.kind_*', 'oneoffs.billing_*', 'oneoffs.state_*'
const exportColumns = [
  'createdAt',
  'organization',
  'name',
  'kind',
  'state',
  'quantity',
  'unitPrice',
  'amount',
  'currency',
  'chargeOn',
  'billing',
  'service',
  'billNumber',
  'createdBy',
  'approvedBy',
  'note',
  'id',
] as const;

/** Exports all one-offs that match a filter. */
export async function exportOneOffs(ctx: Ctx, input: In<typeof oneOffs.exportOneOffs>): Promise<FileAnswer> {
  const { format, language = ctx.language, ...filter } = input;
  return exportTable(ctx, {
    format,
    action: 'oneoffs.exportOneOffs',
    filter,
    title: datedTitle(ctx, ctx.text('oneoffs.title', {}, language)),
    header: exportColumns.map((column) => ctx.text(`oneoffs.column_${column}`, {}, language)),
    total: await countOneOffs(ctx, filter),
    query: oneOffsQuery(filter),
    cells: (row): CsvCell[] => [
      row.createdAt.toISOString(),
      row.organization,
      inLanguage(row.name, language),
      ctx.text(`oneoffs.kind_${row.kind}`, {}, language),
      ctx.text(`oneoffs.state_${row.state}`, {}, language),
      figure(row.quantity),
      figure(row.unitPrice),
      figure(moneyText(money(row.amountMinor, row.currency))),
      row.currency,
      row.chargeOn,
      ctx.text(`oneoffs.billing_${row.billing}`, {}, language),
      row.service ?? '',
      row.billNumber ?? '',
      row.createdBy,
      row.approvedBy ?? '',
      row.note,
      row.id,
    ],
  });
}
