// Queries of invoices: lists, one with its document, those of a bill, and exports.
import type { FileAnswer, In, Out } from '#kernel/contract.ts';
import { money, moneyText, type Money } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import type { Page } from '#kernel/shape.ts';
import { figure } from '#platform/server/files/csv.ts';
import { exportTable } from '#platform/server/files/export.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { billingErrors } from '#features/invoicing/billing/contract.ts';
import { billById } from '#features/invoicing/billing/server/index.ts';
import {
  einvoicesErrors,
  type BillEinvoices,
  type Einvoice,
  type EinvoiceDetail,
  type EinvoiceDocument,
  type einvoices,
} from '../contract.ts';
import { einvoiceZone, hasProof, keepsOf, periodOf } from '../rules.ts';
import { dayOf } from '#kernel/time.ts';
import type { Bill } from './document.ts';
import { choiceOf } from './plan.ts';
import { einvoiceSetting, isOn } from './settings.ts';
import {
  allowancesOf,
  attemptsOf,
  invoiceById,
  invoicesOfBill,
  pageOfInvoices,
  shownInvoice,
  toStored,
  type InvoiceRow,
  type StoredInvoice,
} from './store.ts';
import { coveredBill } from './store-bills.ts';
import { countInvoices, invoicesQuery } from './store-export.ts';

const twd = (minor: bigint): Money => money(minor, 'TWD');

async function documentsOf(ctx: Ctx, stored: readonly StoredInvoice[]): Promise<EinvoiceDocument[]> {
  const allowances = Map.groupBy(
    await allowancesOf(
      ctx,
      stored.map(({ id }) => id),
    ),
    (each) => each.einvoiceId,
  );
  return stored.map((invoice) => {
    const { document } = invoice;
    return {
      ...shownInvoice(invoice),
      randomCode: invoice.randomCode,
      seller: document.seller,
      buyer: document.buyer,
      carrier: document.carrier,
      donationCode: document.donationCode,
      isPrinted: document.isPrinted,
      items: document.items.map((item) => ({ ...item, amount: twd(item.amount) })),
      sales: {
        taxable: twd(document.sales.taxable),
        zero_rated: twd(document.sales.zero_rated),
        exempt: twd(document.sales.exempt),
      },
      taxRate: document.taxRate,
      shownTax: twd(document.tax),
      voidReason: invoice.voidReason,
      voidedAt: invoice.voidedAt,
      allowances: allowances.get(invoice.id) ?? [],
      hasProof: invoice.sentAt !== null && hasProof({ ...invoice, ...document }),
    };
  });
}

/** Returns what an Admin may currently do with an invoice. */
export function mayOf(ctx: Ctx, invoice: StoredInvoice, hasAllowances: boolean): EinvoiceDetail['may'] {
  const isBusy = invoice.busyUntil !== null && invoice.busyUntil > ctx.now;
  const stands = invoice.state !== 'dropped' && invoice.voidAskedAt === null;
  const isUnsent = invoice.sentAt === null && !invoice.isUnsure && !isBusy;
  const isInPeriod = invoice.period === periodOf(ctx.now);
  const hasRest = invoice.total.minor > invoice.allowed.minor;
  const isVoidable =
    stands &&
    !isBusy &&
    ((isUnsent && (invoice.state === 'failed' || invoice.number === null)) || (isInPeriod && !hasAllowances));
  return {
    // An invoice that is merely in transit needs no action.
    retry:
      !isBusy &&
      (invoice.state === 'failed' ||
        (invoice.nextAt !== null && (invoice.isUnsure || invoice.errorCode !== null))),
    changeBuyer: stands && isUnsent,
    void: isVoidable,
    markUploaded:
      stands &&
      !isBusy &&
      invoice.provider === 'turnkey' &&
      invoice.sentAt !== null &&
      invoice.uploadedAt === null,
    undo: stands && !isBusy && !isVoidable && invoice.period !== null && hasRest,
  };
}

/** One invoice for an Admin. */
export async function shownDetail(ctx: Ctx, einvoiceId: string): Promise<EinvoiceDetail> {
  const stored = await invoiceById(ctx, einvoiceId, null);
  if (!stored) throw domainError(einvoicesErrors, 'einvoices.not_found');
  const [document] = await documentsOf(ctx, [stored]);
  if (!document) throw domainError(einvoicesErrors, 'einvoices.not_found');
  const hasAllowances = document.allowances.some(
    ({ state }) => state === 'pending' || state === 'sent' || state === 'failed',
  );
  const hasFailed = document.allowances.some(
    ({ state, errorCode }) => state === 'failed' || (errorCode !== null && state !== 'dropped'),
  );
  const may = mayOf(ctx, stored, hasAllowances);
  return {
    ...document,
    provider: stored.provider,
    isUnsure: stored.isUnsure && (stored.busyUntil === null || stored.busyUntil <= ctx.now),
    nextAttemptAt: stored.nextAt,
    attempts: await attemptsOf(ctx, stored.id),
    keeps: keepsOf((await ctx.setting(einvoiceSetting)).provider),
    may: { ...may, retry: may.retry || hasFailed },
  };
}

export async function adminGetEinvoice(
  ctx: Ctx,
  input: In<typeof einvoices.adminGetEinvoice>,
): Promise<EinvoiceDetail> {
  return shownDetail(ctx, input.einvoiceId);
}

export async function adminListEinvoices(
  ctx: Ctx,
  input: In<typeof einvoices.adminListEinvoices>,
): Promise<Page<Einvoice>> {
  return pageOfInvoices(ctx, null, input);
}

/** What a member may see: without the provider's messages. */
const forMember = <T extends Pick<Einvoice, 'errorCode' | 'errorWords'>>(one: T): T => ({
  ...one,
  errorCode: null,
  errorWords: null,
});

export async function listEinvoices(
  ctx: Ctx,
  input: In<typeof einvoices.listEinvoices>,
): Promise<Out<typeof einvoices.listEinvoices>> {
  const page = await pageOfInvoices(ctx, tenant(ctx), input);
  return { ...page, items: page.items.map(forMember), isOn: await isOn(ctx) };
}

/**
 * Returns the invoices of a bill. Whether more follow depends on the bill; bills from before e-invoices were
 * enabled have none.
 */
export async function ofBill(ctx: Ctx, bill: Bill, isAdmin: boolean): Promise<BillEinvoices> {
  const covered = await coveredBill(ctx, bill.id);
  const { provider, companies, consumers } = await ctx.setting(einvoiceSetting);
  const stored = await invoicesOfBill(ctx, bill.id);
  const documents = await documentsOf(ctx, stored);
  const buyer = await choiceOf(ctx, bill, covered ?? { buyer: null });
  const isMore =
    covered !== undefined &&
    !covered.isClosed &&
    bill.state !== 'void' &&
    (stored.every(({ state }) => state === 'dropped') ||
      (covered.timing === 'on_payment' && bill.state === 'open'));
  const isWaiting = stored.some(
    (each) => each.sentAt === null && !each.isUnsure && each.state !== 'dropped' && each.voidAskedAt === null,
  );
  return {
    billId: bill.id,
    isCovered: covered !== undefined,
    timing: covered?.timing ?? (buyer.taxId === '' ? consumers : companies),
    buyer,
    keeps: keepsOf(provider),
    canChoose: covered !== undefined && (isMore || isWaiting),
    items: isAdmin
      ? documents
      : documents
          .filter(({ state }) => state !== 'dropped')
          .map((each) => ({ ...forMember(each), allowances: each.allowances.map(forMember) })),
  };
}

export async function foundBill(ctx: Ctx, billId: string, organizationId: string | null): Promise<Bill> {
  const bill = await billById(ctx, billId, organizationId);
  if (!bill) throw domainError(billingErrors, 'billing.bill_not_found');
  return bill;
}

export async function billEinvoices(
  ctx: Ctx,
  input: In<typeof einvoices.billEinvoices>,
): Promise<BillEinvoices> {
  return ofBill(ctx, await foundBill(ctx, input.billId, tenant(ctx)), false);
}
export async function adminBillEinvoices(
  ctx: Ctx,
  input: In<typeof einvoices.adminBillEinvoices>,
): Promise<BillEinvoices> {
  return ofBill(ctx, await foundBill(ctx, input.billId, null), true);
}

const exportColumns = [
  'number',
  'issued_at',
  'state',
  'kind',
  'organization',
  'buyer',
  'tax_id',
  'bill',
  'net',
  'tax',
  'total',
  'allowed',
  'uploaded_at',
] as const;

/** Exports invoices as a file of any length. */
export async function exportEinvoices(
  ctx: Ctx,
  { format, language, ...filter }: In<typeof einvoices.exportEinvoices>,
): Promise<FileAnswer> {
  const reader = language ?? ctx.language;
  const translate = (key: string): string => ctx.text(key, {}, reader);
  const day = (at: Date | null): string => (at ? dayOf(at, einvoiceZone) : '');
  return exportTable<InvoiceRow>(ctx, {
    format,
    action: 'einvoices.exportEinvoices',
    filter,
    title: `einvoices-${filter.period ?? ctx.now.toISOString().slice(0, 10)}`,
    // used as: 'einvoices.column_*'
    header: exportColumns.map((column) => translate(`einvoices.column_${column}`)),
    total: await countInvoices(ctx, filter),
    query: invoicesQuery(filter),
    cells: (row) => {
      const invoice = shownInvoice(toStored(row));
      return [
        invoice.number ?? '',
        day(invoice.issuedAt),
        // used as: 'einvoices.state_*', 'einvoices.kind_*'
        translate(`einvoices.state_${invoice.state}`),
        translate(`einvoices.kind_${invoice.kind}`),
        invoice.organization,
        invoice.buyerName,
        invoice.taxId,
        invoice.billNumber,
        figure(moneyText(invoice.net)),
        figure(moneyText(invoice.tax)),
        figure(moneyText(invoice.total)),
        figure(moneyText(invoice.allowed)),
        day(invoice.uploadedAt),
      ];
    },
  });
}
