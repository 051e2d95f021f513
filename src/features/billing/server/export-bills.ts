// Bills as a file of any length: a row for each line and one for each bill's tax, as a table or in the columns of FOCUS.
import type { RawBuilder } from 'kysely';
import type { FileAnswer, In } from '#kernel/contract.ts';
import { money, moneyText } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { figure, type CsvCell } from '#platform/server/csv.ts';
import { tenant, type Ctx } from '#platform/server/ctx.ts';
import { exportTable, type TableExport } from '#platform/server/export.ts';
import { brandName } from '#features/identity/server/index.ts';
import { focusColumns, focusNumbers } from '#features/insights/rules.ts';
import type { billing } from '../contract.ts';
import { focusOfCharge, type BilledCharge } from '../rules-focus.ts';
import { billFilter } from './store.ts';
import { chargesQuery, countCharges, followedBy, type ChargeRow } from './store-export.ts';

type Asked = In<typeof billing.exportBills> & { readonly organizationId?: string };

/** Whose and which corrections a file of bills holds. */
export type CorrectionsAsked = { readonly organizationId: string | null; readonly q?: string | undefined; readonly month?: BillingMonth | undefined };
/** What took bills back, as charges below zero: it belongs to a column to the right, and the roof plugs it in. */
export type Corrections = { readonly query: (asked: CorrectionsAsked, isFocus: boolean) => RawBuilder<ChargeRow>; readonly count: (ctx: Ctx, asked: CorrectionsAsked) => Promise<number> };

/** The two calls that hand bills out as files. */
export function billExports(corrections: Corrections) {
  return {
    /** The own organization's bills. */
    exportBills: async (ctx: Ctx, input: In<typeof billing.exportBills>): Promise<FileAnswer> => exportTable(ctx, await chargeTable(ctx, corrections, 'billing.exportBills', tenant(ctx), input)),
    /** All bills of a filter. */
    adminExportBills: async (ctx: Ctx, { organizationId, ...input }: In<typeof billing.adminExportBills>): Promise<FileAnswer> => exportTable(ctx, await chargeTable(ctx, corrections, 'billing.adminExportBills', organizationId ?? null, input)),
  };
}

/**
 * The charges of bills as a table. Void bills are in it with what their voiding took back, credit notes with what they took: the rows
 * add up to bills less credits. Who asks for bills of one state gets those bills alone.
 */
export async function chargeTable(ctx: Ctx, corrections: Corrections, action: string, organizationId: string | null, { format, language = ctx.language, ...filter }: Asked): Promise<TableExport<ChargeRow>> {
  const isFocus = format === 'focus';
  const where = billFilter(organizationId, filter);
  const isWhole = filter.state === undefined;
  const asked = { organizationId, ...filter };
  const query = isWhole ? followedBy(chargesQuery(where, isFocus), corrections.query(asked, isFocus)) : chargesQuery(where, isFocus);
  const total = (await countCharges(ctx, where)) + (isWhole ? await corrections.count(ctx, asked) : 0);
  const day = ctx.now.toISOString().slice(0, 10);
  if (isFocus) {
    // Bills of before say it as it is now.
    const issuer = await brandName(ctx);
    return {
      format: 'csv', action, filter: { ...filter, format }, title: `focus-${filter.month ?? day}`, header: focusColumns, total, query,
      cells: (row) => {
        const said = focusOfCharge(chargeOf(row, row.issuer ?? issuer));
        return focusColumns.map((column) => (focusNumbers.has(column) && said[column] !== '' ? figure(said[column]) : said[column]));
      },
    };
  }
  const known = new Map<string, string>();
  const say = (key: string): string => {
    const text = known.get(key) ?? ctx.text(key, {}, language);
    known.set(key, text);
    return text;
  };
  return {
    // `isFocus` was answered above; the compiler does not follow it here.
    format: format === 'xlsx' ? 'xlsx' : 'csv', action, filter, title: `${ctx.text('billing.export_title', {}, language)}-${filter.month ?? day}`,
    // used as: 'billing.csv_*'
    header: tableColumns.map((column) => ctx.text(`billing.csv_${column}`, {}, language)), total, query, cells: (row) => cellsOf(row, say),
  };
}

function chargeOf(row: ChargeRow, issuer: string): BilledCharge {
  return {
    kind: row.kind, takenBack: row.taken_back, amount: money(row.amount_minor, row.currency), quantity: row.quantity, unit: row.unit, subscriptionId: row.subscription_id, forMonth: row.for_month,
    service: { id: row.service_id, name: row.service_name, type: row.service_type ?? '', category: row.service_category ?? '', tags: row.service_tags ?? [] },
    bill: { number: row.number, periodStart: row.period_start, periodEnd: row.period_end, timeZone: row.time_zone }, account: { id: row.organization_id, name: row.organization }, issuer,
  };
}

const tableColumns = ['bill_number', 'month', 'organization', 'state', 'issued_at', 'due_at', 'service', 'subscription', 'kind', 'for_month', 'quantity', 'unit', 'unit_price', 'exact', 'charged', 'currency'] as const;

function cellsOf(row: ChargeRow, say: (key: string) => string): CsvCell[] {
  const isTax = row.kind === 'tax';
  const byUsage = row.kind === 'usage' || row.kind === 'adjustment';
  // What is taken back has an amount and no quantity of its own.
  const isCounted = !isTax && row.taken_back === null;
  const figureOr = (value: string | null): CsvCell => (value === null ? '' : figure(value));
  // In the order of `tableColumns`. used as: 'billing.state_*', 'billing.csv_taken_*'
  return [
    row.number, row.month, row.organization, say(row.taken_back === null ? `billing.state_${row.state}` : `billing.csv_taken_${row.taken_back}`), row.issued_at, row.due_at, row.service_name, row.subscription_id, say(isTax ? 'billing.csv_tax' : `billing.pdf_kind_${row.kind}`), row.for_month ?? '',
    isCounted ? figure(row.quantity) : '', !isCounted ? '' : byUsage ? row.unit : say(row.unit === 'year' ? 'billing.csv_unit_year' : 'billing.csv_unit_month'), figureOr(row.unit_price), figureOr(row.exact_amount),
    figure(moneyText(money(row.amount_minor, row.currency))), row.currency,
  ];
}
