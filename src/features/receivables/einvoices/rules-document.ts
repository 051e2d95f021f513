// The content of a statutory invoice (統一發票): its parties, its items, and their sums. Amounts are whole New
// Taiwan dollars.
import { chunksOf } from '#kernel/chunks.ts';
import { decimal, roundToInteger } from '#kernel/decimal.ts';
import { absolute } from '#kernel/money.ts';
import type { carrierKinds, ItemTaxKind } from './contract.ts';
import { wholeUnit } from './rules-words.ts';

/** A party on an invoice. `taxId` is the 統一編號: eight digits; empty for a consumer. */
export type Party = {
  readonly taxId: string;
  readonly name: string;
  readonly address: string;
  readonly email: string;
};

/** Where a consumer stores the invoice: 手機條碼, 自然人憑證, or the seller's own member carrier. */
export type Carrier = { readonly kind: (typeof carrierKinds)[number]; readonly code: string };

export type InvoiceItem = {
  readonly description: string;
  /** A decimal number, not rounded. */
  readonly quantity: string;
  readonly unit: string;
  /** A decimal number; net on an invoice to a company, gross on one to a consumer. */
  readonly unitPrice: string;
  /**
   * In whole dollars, net or gross likewise; negative for a reduction. The items add up to the invoice's
   * amount.
   */
  readonly amount: bigint;
  readonly taxKind: ItemTaxKind;
};

/** A sale before it is invoiced: one line of a bill, with its share of the bill's tax. */
export type SaleLine = {
  readonly description: string;
  readonly quantity: string;
  readonly unit: string;
  /** Net; null if there is no unit price. */
  readonly unitPrice: string | null;
  readonly net: bigint;
  readonly tax: bigint;
  readonly taxKind: ItemTaxKind;
};

export type DocumentSums = {
  readonly sales: Readonly<Record<ItemTaxKind, bigint>>;
  readonly tax: bigint;
  readonly total: bigint;
};

const mostDecimals = 7;
const longestDescription = 256;
const longestUnit = 6;

const fits = (text: string): boolean => (text.split('.')[1] ?? '').length <= mostDecimals;

/**
 * A line as it appears on an invoice: net to a company, gross to a consumer. Quantity and price are stated
 * only if they yield exactly the amount when platforms recompute it, rounded half up; otherwise the line is
 * sold as one whole.
 */
export function itemOf(line: SaleLine, isCompany: boolean): InvoiceItem {
  const amount = isCompany ? line.net : line.net + line.tax;
  const { quantity, unitPrice, taxKind } = line;
  const description = [...line.description].slice(0, longestDescription).join('');
  const isExact =
    isCompany &&
    unitPrice !== null &&
    fits(quantity) &&
    fits(unitPrice) &&
    decimal(quantity).gt(decimal('0')) &&
    roundToInteger(decimal(quantity).times(decimal(unitPrice))) === amount;
  return isExact
    ? {
        description,
        quantity,
        unit: [...line.unit].slice(0, longestUnit).join(''),
        unitPrice,
        amount,
        taxKind,
      }
    : { description, quantity: '1', unit: wholeUnit, unitPrice: String(amount), amount, taxKind };
}

/**
 * The sums of an invoice: to a company, sales are net with the tax separate; to a consumer, sales include the
 * tax.
 */
export function sumsOf(lines: readonly SaleLine[], isCompany: boolean): DocumentSums {
  const net = lines.reduce((sum, line) => sum + line.net, 0n);
  const tax = lines.reduce((sum, line) => sum + line.tax, 0n);
  const of = (kind: ItemTaxKind): bigint =>
    lines.reduce(
      (sum, line) => (line.taxKind === kind ? sum + line.net + (isCompany ? 0n : line.tax) : sum),
      0n,
    );
  return {
    sales: { taxable: of('taxable'), zero_rated: of('zero_rated'), exempt: of('exempt') },
    tax: isCompany ? tax : 0n,
    total: net + tax,
  };
}

/**
 * Splits the lines of a sale into as many invoices as needed if each may total at most `most`: the invoices
 * add up exactly to the sale, and each is positive. Lines without an amount are left out. Only if one invoice
 * does not suffice, reductions are spread over the lines they reduce, so that they do not make any invoice
 * negative.
 */
export function splitLines(lines: readonly SaleLine[], most: number): SaleLine[][] {
  const charged = lines.filter((line) => line.net !== 0n || line.tax !== 0n);
  if (charged.length <= most) return charged.length === 0 ? [] : [charged];
  return [...chunksOf(withoutReductions(charged), most)];
}

/**
 * Deducts reductions from a sale's other lines in proportion, by largest remainder: the sums of net and tax
 * are unchanged.
 */
function withoutReductions(lines: readonly SaleLine[]): SaleLine[] {
  const kept = lines.filter((line) => line.net + line.tax > 0n);
  const off = lines.filter((line) => line.net + line.tax <= 0n);
  const nets = spread(
    off.reduce((sum, line) => sum + line.net, 0n),
    kept.map((line) => line.net),
  );
  const taxes = spread(
    off.reduce((sum, line) => sum + line.tax, 0n),
    kept.map((line) => line.tax),
  );
  return kept
    .map((line, index): SaleLine => {
      const [net, tax] = [line.net + (nets[index] ?? 0n), line.tax + (taxes[index] ?? 0n)];
      return net === line.net && tax === line.tax
        ? line
        : { ...line, quantity: '1', unit: wholeUnit, unitPrice: null, net, tax };
    })
    .filter((line) => line.net !== 0n || line.tax !== 0n);
}

/**
 * Splits an amount in proportion to weights, by largest remainder; the parts add up to it. Of equal
 * remainders, the first comes first.
 */
export function spread(amount: bigint, weights: readonly bigint[]): bigint[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  if (whole <= 0n) return weights.map((_, index) => (index === 0 ? amount : 0n));
  const size = absolute(amount);
  const parts = weights.map((weight) => (size * weight) / whole);
  const rest = Number(size - parts.reduce((sum, part) => sum + part, 0n));
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (size * weight) % whole }))
    .toSorted((a, b) =>
      a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1,
    );
  for (const { index } of byRemainder.slice(0, rest)) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts.map((part) => (amount < 0n ? -part : part));
}
