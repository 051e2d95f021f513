// Exports bills as a file of any length: a row for each line and one for each bill's tax, as a table or in
// the columns of FOCUS.
import type { TextParams } from '#kernel/text.ts';
import type { RawBuilder } from 'kysely';
import type { FileAnswer, In } from '#kernel/contract.ts';
import { money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { figure } from '#platform/server/files/csv.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { exportTable, type TableExport } from '#platform/server/files/export.ts';
import { brandName } from '#features/access/identity/server/index.ts';
import { focusColumnsOf, focusNumbers, type FocusVersion } from '#features/metering/insights/rules.ts';
import type { billing } from '../contract.ts';
import { focusOfCharge, type BilledCharge } from '../rules-focus.ts';
import { billFilter } from './store.ts';
import { tableOfCharges } from './store-charge-table.ts';
import { chargesQuery, countCharges, followedBy, type ChargeRow } from './store-export.ts';

type ExportInput = Omit<In<typeof billing.exportBills>, 'format' | 'version'>;
type Filter = Omit<ExportInput, 'language'>;

/** Selects the corrections in a file of bills. */
export type CorrectionsFilter = {
  readonly organizationId: string | null;
  readonly q?: string | undefined;
  readonly month?: BillingMonth | undefined;
};
/**
 * Reversals of bills, as negative charges. They belong to a feature that depends on billing, so the app
 * passes them in.
 */
export type Corrections = {
  readonly query: (correctionsFilter: CorrectionsFilter, isFocus: boolean) => RawBuilder<ChargeRow>;
  readonly count: (ctx: Ctx, correctionsFilter: CorrectionsFilter) => Promise<number>;
};

/** The two routes that export bills. */
export function billExports(corrections: Corrections) {
  const exported = async (
    ctx: Ctx,
    action: string,
    organizationId: string | null,
    { format, version, language, ...filter }: In<typeof billing.exportBills>,
  ): Promise<FileAnswer> =>
    format === 'focus'
      ? exportTable(ctx, await focusTable(ctx, corrections, action, organizationId, filter, version))
      : exportTable(ctx, {
          ...(await chargeTable(ctx, corrections, action, organizationId, { ...filter, language })),
          format,
        });
  return {
    /** Exports the caller's organization's bills. */
    exportBills: async (ctx: Ctx, input: In<typeof billing.exportBills>): Promise<FileAnswer> =>
      exported(ctx, 'billing.exportBills', tenant(ctx), input),
    /** Exports all bills that match a filter. */
    adminExportBills: async (
      ctx: Ctx,
      { organizationId, ...input }: In<typeof billing.adminExportBills>,
    ): Promise<FileAnswer> => exported(ctx, 'billing.adminExportBills', organizationId ?? null, input),
  };
}

/**
 * Returns the charges that match a filter. Void bills are included with their reversals, and credit notes
 * with their amounts, so the rows add up to bills minus credits. A filter by state returns only bills in that
 * state.
 */
async function chargesOf(
  ctx: Ctx,
  corrections: Corrections,
  organizationId: string | null,
  filter: Filter,
  isFocus: boolean,
): Promise<{ query: RawBuilder<ChargeRow>; total: number; period: string }> {
  const where = billFilter(organizationId, filter);
  const isWhole = filter.state === undefined;
  const correctionsFilter = { organizationId, ...filter };
  return {
    query: isWhole
      ? followedBy(chargesQuery(where, isFocus), corrections.query(correctionsFilter, isFocus))
      : chargesQuery(where, isFocus),
    total:
      (await countCharges(ctx, where, isFocus)) +
      (isWhole ? await corrections.count(ctx, correctionsFilter) : 0),
    period: filter.month ?? ctx.now.toISOString().slice(0, 10),
  };
}

/** Exports charges of bills in the columns of FOCUS. */
export async function focusTable(
  ctx: Ctx,
  corrections: Corrections,
  action: string,
  organizationId: string | null,
  filter: Filter,
  version: FocusVersion = '1.2',
): Promise<TableExport<ChargeRow>> {
  const { query, total, period } = await chargesOf(ctx, corrections, organizationId, filter, true);
  const columns = focusColumnsOf(version);
  // Older bills use the current name.
  const issuer = await brandName(ctx);
  return {
    format: 'csv',
    action,
    filter: { ...filter, format: 'focus', version },
    title: `focus-${period}`,
    header: columns,
    total,
    query,
    cells: (row) => {
      const values = focusOfCharge(chargeOf(row, row.issuer ?? issuer));
      return columns.map((column) =>
        focusNumbers.has(column) && values[column] !== '' ? figure(values[column]) : values[column],
      );
    },
  };
}

/** Exports charges of bills as a table. */
export async function chargeTable(
  ctx: Ctx,
  corrections: Corrections,
  action: string,
  organizationId: string | null,
  { language = ctx.language, ...filter }: ExportInput,
) {
  const { query, total, period } = await chargesOf(ctx, corrections, organizationId, filter, false);
  const translate = (key: string, params: TextParams = {}): string => ctx.text(key, params, language);
  return {
    format: 'csv',
    action,
    filter,
    title: `${translate('billing.export_title')}-${period}`,
    total,
    ...tableOfCharges(query, translate, language),
  } as const;
}

function chargeOf(row: ChargeRow, issuer: string): BilledCharge {
  return {
    kind: row.kind,
    takenBack: row.taken_back,
    amount: money(row.amount_minor, row.currency),
    quantity: row.quantity,
    unit: row.unit,
    subscriptionId: row.subscription_id,
    forMonth: row.for_month,
    service: {
      id: row.service_id,
      name: row.service_name,
      charge: row.charge_name?.enUS ?? null,
      type: row.service_type ?? '',
      category: row.service_category ?? '',
      tags: row.service_tags ?? [],
    },
    bill: {
      number: row.number,
      periodStart: row.period_start,
      periodEnd: row.period_end,
      timeZone: row.time_zone,
    },
    account: {
      id: row.organization_id,
      name: row.organization,
      ...(row.user_id && row.used_by && { user: { id: row.user_id, name: row.used_by } }),
    },
    commitment: row.commitment && {
      id: row.commitment.id,
      name: row.commitment.name.enUS,
      drawn: row.commitment.minor === null ? null : money(BigInt(row.commitment.minor), row.currency),
    },
    issuer,
  };
}
