// The stored and sent documents: an invoice of a bill's lines for its buyer, and an allowance on it. In JSON,
// money is text.

import { money } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { chargedOfLines, rowsOf } from '#features/invoicing/billing/rules.ts';
import { billById, lineName, linesOfBill } from '#features/invoicing/billing/server/index.ts';
import { storedTaxesOf } from '#features/invoicing/credits/rules.ts';
import type { TaxCode } from '#features/invoicing/taxes/contract.ts';
import type { BuyerChoice, EInvoiceProviderName } from '../contract.ts';
import { itemOf, spread, sumsOf, wholeUnit, type NetAndTax, type SaleLine } from '../rules.ts';
import {
  itemTaxKinds,
  type AllowanceToSend,
  type Carrier,
  type InvoiceItem,
  type InvoiceToSend,
  type ItemTaxKind,
  type Party,
} from './provider.ts';

export type Bill = NonNullable<Awaited<ReturnType<typeof billById>>>;
/** The content of an invoice that is known before it has a number. */
export type InvoiceDocument = Omit<InvoiceToSend, 'invoiceId' | 'number' | 'randomCode' | 'issuedAt'>;
export type AllowanceDocument = Pick<AllowanceToSend, 'items'>;
type Wire<T> = T extends bigint
  ? string
  : T extends readonly (infer E)[]
    ? Wire<E>[]
    : T extends object
      ? { [K in keyof T]: Wire<T[K]> }
      : T;
export type InvoiceWire = Wire<InvoiceDocument>;
export type AllowanceWire = Wire<AllowanceDocument>;

const writer = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
/** A document as it is stored. */
export const writeDocument = (document: InvoiceDocument | AllowanceDocument): string =>
  JSON.stringify(document, writer);

/** A stored document. */
export function readInvoice(wire: InvoiceWire): InvoiceDocument {
  return {
    ...wire,
    items: wire.items.map((item) => ({ ...item, amount: BigInt(item.amount) })),
    sales: {
      taxable: BigInt(wire.sales.taxable),
      zero_rated: BigInt(wire.sales.zero_rated),
      exempt: BigInt(wire.sales.exempt),
    },
    tax: BigInt(wire.tax),
    total: BigInt(wire.total),
  };
}
export const readAllowance = (wire: AllowanceWire): AllowanceDocument => ({
  items: wire.items.map((item) => ({ ...item, amount: BigInt(item.amount), tax: BigInt(item.tax) })),
});

/** The maximum number of items on an invoice: 9,999 in MIG 4.1, 999 with the service providers. */
export const mostItems = (provider: EInvoiceProviderName): number => (provider === 'turnkey' ? 9999 : 999);

/**
 * The legal kind of a tax: exports, reverse-charge supplies and zero rates are 零稅率; exempt and out-of-scope
 * supplies are 免稅.
 */
const kindOfCategory: Readonly<Record<TaxCode, ItemTaxKind>> = {
  S: 'taxable',
  Z: 'zero_rated',
  G: 'zero_rated',
  K: 'zero_rated',
  AE: 'zero_rated',
  E: 'exempt',
  O: 'exempt',
};
/**
 * A kind of tax on a bill; `lines` are the ids of the lines it applies to, null if the whole bill is of this
 * kind.
 */
type TaxedPart = { readonly taxKind: ItemTaxKind; readonly lines: readonly string[] | null } & NetAndTax;

/**
 * How each part of a bill is taxed; the whole bill, by its buyer's tax treatment, if it does not have several
 * taxes.
 */
function taxedParts(bill: Bill): readonly TaxedPart[] {
  if (bill.taxes)
    return bill.taxes.map(({ category, net, tax, lines }) => ({
      taxKind: kindOfCategory[category],
      net: net.minor,
      tax: tax.minor,
      lines,
    }));
  const { taxStatus } = bill.buyer;
  const taxKind = taxStatus === 'zero' ? 'zero_rated' : taxStatus === 'exempt' ? 'exempt' : 'taxable';
  return [{ taxKind, net: bill.net.minor, tax: bill.tax.minor, lines: null }];
}

/** The tax kinds of a bill. */
export const taxKindsOf = (bill: Bill): ReadonlySet<ItemTaxKind> =>
  new Set(taxedParts(bill).map(({ taxKind }) => taxKind));

/** The language of statutory documents. */
const statutory = 'zhTW';

/**
 * The sales of a bill, line by line, each with its share of the stored tax: the only place that decides an
 * item's tax kind. Discounts and credit are deducted from the lines they cover, as on credit notes.
 */
export async function itemsOfBill(ctx: Ctx, bill: Bill): Promise<(SaleLine & { readonly lineId: string })[]> {
  const stored = await linesOfBill(ctx, bill.id, bill.currency);
  const charged = chargedOfLines(
    stored.map(({ total, term }) => ({ amount: total.minor, shares: term?.shares })),
  );
  const lines = stored.flatMap((line, index) =>
    line.term?.shares === undefined
      ? [{ line, net: money(required(charged[index], 'a line’s charge'), bill.currency) }]
      : [],
  );
  const ids = lines.map(({ line }) => line.id);
  const taxes = storedTaxesOf(
    lines.map(({ net }) => net),
    ids,
    rowsOf(bill, ids),
  );
  const parts = taxedParts(bill);
  const kindOf = (lineId: string): ItemTaxKind =>
    required(
      parts.find((part) => part.lines === null || part.lines.includes(lineId)),
      'the tax of a line',
    ).taxKind;
  return lines.map(({ line, net }, index) => ({
    lineId: line.id,
    description: `${lineName(line, (key, params) => ctx.text(key, params, statutory), statutory)} ${line.forMonth ?? bill.month}`,
    quantity: line.quantity,
    unit: line.unit,
    unitPrice: line.total.minor === net.minor ? line.unitPrice : null,
    net: net.minor,
    tax: required(taxes[index], 'a line’s tax'),
    taxKind: kindOf(line.id),
  }));
}

/** Part of a bill as one item, or as one per tax kind, in proportion to the bill. */
export function partOfBill(ctx: Ctx, bill: Bill, part: NetAndTax): SaleLine[] {
  const parts = taxedParts(bill);
  const kinds = [...taxKindsOf(bill)];
  const sums = (of: 'net' | 'tax'): bigint[] =>
    kinds.map((kind) => parts.reduce((sum, each) => (each.taxKind === kind ? sum + each[of] : sum), 0n));
  const [nets, taxes] = [spread(part.net, sums('net')), spread(part.tax, sums('tax'))];
  return kinds
    .map((taxKind, index) => ({
      description: ctx.text('einvoices.item_part', { number: bill.number, month: bill.month }, statutory),
      quantity: '1',
      unit: wholeUnit,
      unitPrice: null,
      net: nets[index] ?? 0n,
      tax: taxes[index] ?? 0n,
      taxKind,
    }))
    .filter(({ net, tax }) => net !== 0n || tax !== 0n);
}

const carrierOf = (choice: BuyerChoice, organizationId: string): Carrier | null => {
  if (choice.keep === 'mobile' || choice.keep === 'citizen') return { kind: choice.keep, code: choice.code };
  return choice.keep === 'member' ? { kind: 'member', code: organizationId } : null;
};

/**
 * The buyer of an invoice, and where it is stored. A company's invoice must be printed by law; a consumer
 * chooses.
 */
export function buyerParts(
  bill: Bill,
  choice: BuyerChoice,
): Pick<InvoiceDocument, 'buyer' | 'carrier' | 'donationCode' | 'isPrinted'> {
  const isCompany = choice.taxId !== '';
  const buyer: Party = {
    taxId: choice.taxId,
    name: choice.name === '' ? bill.buyer.name : choice.name,
    address: bill.buyer.address,
    email: bill.buyer.email,
  };
  if (isCompany) return { buyer, carrier: null, donationCode: null, isPrinted: true };
  const carrier = carrierOf(choice, bill.organizationId);
  const donationCode = choice.keep === 'donate' ? choice.code : null;
  return { buyer, carrier, donationCode, isPrinted: carrier === null && donationCode === null };
}

/** Builds an invoice for some lines of a bill. */
export function invoiceOf(
  bill: Bill,
  seller: Party,
  choice: BuyerChoice,
  lines: readonly SaleLine[],
): InvoiceDocument {
  const isCompany = choice.taxId !== '';
  return {
    seller,
    ...buyerParts(bill, choice),
    items: lines.map((line) => itemOf(line, isCompany)),
    taxRate: bill.taxRate,
    ...sumsOf(lines, isCompany),
    remark: bill.number,
  };
}

/** Whether the items of a document match its sums. */
export function addsUp({ items, sales, tax, total }: InvoiceDocument): boolean {
  const sold = items.reduce((sum, item) => sum + item.amount, 0n);
  return sold === sales.taxable + sales.zero_rated + sales.exempt && sold + tax === total && total > 0n;
}

/** The tax kind of a whole invoice. */
export function taxKindOf(items: readonly InvoiceItem[]): ItemTaxKind | 'mixed' {
  const kinds = new Set(items.map((item) => item.taxKind));
  const [only] = kinds;
  return kinds.size === 1 && only ? only : 'mixed';
}

/**
 * The items of an allowance on an invoice: the law requires its net amount and its tax, by tax kind. With
 * several kinds, it takes from each in proportion, by largest remainder, and the tax of the taxable part.
 */
export function allowanceOf(
  ctx: Ctx,
  lines: readonly SaleLine[],
  about: string,
  part: { readonly net: bigint; readonly tax: bigint },
): AllowanceDocument {
  const kinds = itemTaxKinds.filter((kind) => lines.some((line) => line.taxKind === kind));
  const nets = spread(
    part.net,
    kinds.map((kind) => lines.reduce((sum, line) => (line.taxKind === kind ? sum + line.net : sum), 0n)),
  );
  const description = ctx.text('einvoices.item_allowance', { about }, statutory);
  return {
    items: kinds
      .map((taxKind, index) => {
        const amount = nets[index] ?? 0n;
        return {
          description,
          quantity: '1',
          unit: wholeUnit,
          unitPrice: String(amount),
          amount,
          taxKind,
          tax: index === 0 ? part.tax : 0n,
          // The first item of its kind on the invoice: the allowance applies to all of them.
          originalSequence: lines.findIndex((line) => line.taxKind === taxKind) + 1,
        };
      })
      .filter((item) => item.amount !== 0n || item.tax !== 0n),
  };
}

export const readLines = (wire: readonly Wire<SaleLine>[]): SaleLine[] =>
  wire.map((line) => ({ ...line, net: BigInt(line.net), tax: BigInt(line.tax) }));
export const writeLines = (lines: readonly SaleLine[]): string => JSON.stringify(lines, writer);
export type LinesWire = Wire<SaleLine>[];
