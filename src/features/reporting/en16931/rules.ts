// A bill or credit note as defined by EN 16931, and the rules that it must meet. Terms (BT-…) and rules
// (BR-…) are those of part 1 of the standard; R… are those of Peppol BIS Billing 3.0.
import { decimal, decimalText, isZero, type Decimal } from '#kernel/decimal.ts';
import {
  currencies,
  money,
  moneyDecimal,
  percentOf,
  sumMoney,
  type Currency,
  type Money,
  absolute,
} from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { LineTax, TaxCode } from '#features/invoicing/taxes/contract.ts';
import { taxKey } from '#features/invoicing/taxes/rules.ts';
import type { en16931Errors } from './contract.ts';

export type DocumentParty = {
  readonly name: string;
  /** Lines of the address, without the country. */
  readonly address: readonly string[];
  readonly country: string;
  /** With the country prefix; empty if the document must not contain it (BR-O-02). */
  readonly vatId: string;
  /** The number in the company register: 統一編號 and the like. */
  readonly registration: string;
  readonly email: string;
  /** `scheme:id`; empty: none. */
  readonly electronicAddress: string;
};
/** An invoice line (BG-25): `net` = `quantity` × `price`. */
export type DocumentLine = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly quantity: string;
  readonly unit: string;
  readonly price: string;
  readonly net: Money;
  readonly tax: Pick<LineTax, 'category' | 'rate'>;
};
/** An allowance or charge on the whole document (BG-20, BG-21), one per tax. The amount is positive. */
export type DocumentAllowance = {
  readonly isCharge: boolean;
  readonly reason: string;
  readonly amount: Money;
  readonly tax: Pick<LineTax, 'category' | 'rate'>;
};
/** The breakdown of a tax (BG-23). */
export type DocumentTax = LineTax & { readonly net: Money; readonly tax: Money };
export type TaxDocument = {
  readonly kind: 'invoice' | 'credit_note';
  readonly number: string;
  readonly issuedOn: LocalDay;
  /** Only for an invoice. */
  readonly dueOn: LocalDay | null;
  readonly period: { readonly from: LocalDay; readonly to: LocalDay } | null;
  readonly currency: Currency;
  readonly seller: DocumentParty & { readonly iban: string; readonly bic: string };
  readonly buyer: DocumentParty;
  readonly buyerReference: string;
  readonly orderReference: string;
  /** Only for a credit note: the bill that it credits. */
  readonly preceding: { readonly number: string; readonly issuedOn: LocalDay } | null;
  readonly note: string;
  readonly paymentTerms: string;
  readonly lines: readonly DocumentLine[];
  readonly allowances: readonly DocumentAllowance[];
  readonly taxes: readonly DocumentTax[];
  readonly net: Money;
  readonly tax: Money;
  readonly total: Money;
  /** The amount already paid (BT-113). */
  readonly prepaid: Money;
};

/** A violated rule, and the error message for whoever can fix it. */
export type BrokenRule = { readonly rule: string; readonly code: keyof typeof en16931Errors };

export type DocumentSums = {
  /** BT-106, BT-107, BT-108. */
  readonly lines: Money;
  readonly allowances: Money;
  readonly charges: Money;
  /** BT-115. */
  readonly payable: Money;
};
export function sumsOf({ currency, lines, allowances, total, prepaid }: TaxDocument): DocumentSums {
  const sum = (amounts: readonly Money[]): Money => sumMoney(amounts, currency);
  return {
    lines: sum(lines.map(({ net }) => net)),
    allowances: sum(allowances.flatMap(({ isCharge, amount }) => (isCharge ? [] : [amount]))),
    charges: sum(allowances.flatMap(({ isCharge, amount }) => (isCharge ? [amount] : []))),
    payable: money(total.minor - prepaid.minor, currency),
  };
}

/** The standard allows at most two fraction digits (BR-DEC-…). */
const mostDigits = 2;
/** Peppol allows a line to differ from quantity × price by this much (R120). */
const slack = decimal('0.02');
const zero = decimal('0');

const size = (value: Decimal): Decimal => (value.lt(zero) ? zero.minus(value) : value);
const lineDifference = ({ quantity, price, net }: DocumentLine): Decimal =>
  size(decimal(quantity).times(decimal(price)).minus(moneyDecimal(net)));

/** Categories for which the buyer owes the tax, so that the document must contain the buyer's VAT id. */
const owedByBuyer: ReadonlySet<TaxCode> = new Set(['AE', 'K']);
const taxFree: ReadonlySet<TaxCode> = new Set(['Z', 'E', 'AE', 'K', 'G', 'O']);

/**
 * Returns the rules that a document violates; empty when it can be issued. Rules that a user can fix come
 * first, then arithmetic, which no bill of this console violates.
 */
export function brokenRules(document: TaxDocument): BrokenRule[] {
  return [...missingParts(document), ...wrongSums(document), ...wrongTaxes(document)];
}

function missingParts({ seller, buyer, lines, taxes, currency }: TaxDocument): BrokenRule[] {
  const used = new Set(taxes.map(({ category }) => category));
  const violations: BrokenRule[] = [];
  const demand = (holds: boolean, rule: string, code: BrokenRule['code']): void => {
    if (!holds) violations.push({ rule, code });
  };
  demand(seller.country !== '', 'BR-09', 'en16931.seller_country');
  demand(seller.address.length > 0, 'BR-08', 'en16931.seller_address');
  demand(buyer.country !== '', 'BR-11', 'en16931.buyer_address');
  demand(buyer.address.length > 0, 'BR-10', 'en16931.buyer_address');
  for (const category of used)
    if (category === 'O') {
      // Without a VAT id, the company register identifies the seller (BR-CO-26).
      demand(seller.vatId === '' && buyer.vatId === '', 'BR-O-02', 'en16931.rule_broken');
      demand(seller.registration !== '', 'BR-CO-26', 'en16931.seller_registration');
    } else demand(seller.vatId !== '', `${prefixOf(category)}-02`, 'en16931.seller_vat_id');
  for (const category of used)
    if (owedByBuyer.has(category))
      demand(buyer.vatId !== '', `${prefixOf(category)}-02`, 'en16931.buyer_vat_id');
  demand(lines.length > 0, 'BR-16', 'en16931.no_lines');
  demand(currencies[currency].billingDigits <= mostDigits, 'BR-DEC-23', 'en16931.rule_broken');
  return violations;
}

/** Category K's rules are named after intra-community supply. */
const prefixOf = (category: TaxCode): string => `BR-${category === 'K' ? 'IC' : category}`;

function wrongSums(document: TaxDocument): BrokenRule[] {
  const { lines, allowances, taxes, net, tax, total, dueOn, paymentTerms } = document;
  const sums = sumsOf(document);
  const holds: readonly (readonly [rule: string, holds: boolean])[] = [
    ['BR-CO-04', lines.every((line) => taxes.some((each) => taxKey(each) === taxKey(line.tax)))],
    ['BR-27', lines.every(({ price }) => decimal(price).gte(zero))],
    ['PEPPOL-EN16931-R120', lines.every((line) => lineDifference(line).lte(slack))],
    ['BR-31', allowances.every(({ amount }) => amount.minor > 0n)],
    ['BR-CO-13', net.minor === sums.lines.minor - sums.allowances.minor + sums.charges.minor],
    ['BR-CO-14', tax.minor === taxes.reduce((sum, each) => sum + each.tax.minor, 0n)],
    ['BR-CO-15', total.minor === net.minor + tax.minor],
    ['BR-CO-18', taxes.length > 0],
    ['BR-CO-25', sums.payable.minor <= 0n || dueOn !== null || paymentTerms !== ''],
  ];
  return holds.flatMap(([rule, isKept]) => (isKept ? [] : [{ rule, code: 'en16931.rule_broken' as const }]));
}

/** Checks each tax: its taxable amount, its tax amount, and the reason for an exemption. */
function wrongTaxes({ kind, lines, allowances, taxes, currency }: TaxDocument): BrokenRule[] {
  // A credit note credits parts of amounts that were rounded on the bill, so it may differ by one unit.
  const tolerance = kind === 'credit_note' ? 1n : 0n;
  const isOther = taxes.some(({ category }) => category === 'O');
  const violations = taxes.flatMap((row) => {
    const prefix = prefixOf(row.category);
    const own = taxKey(row);
    const taxable = [
      ...lines.flatMap((line) => (taxKey(line.tax) === own ? [line.net.minor] : [])),
      ...allowances.flatMap(({ tax, isCharge, amount }) =>
        taxKey(tax) === own ? [isCharge ? amount.minor : -amount.minor] : [],
      ),
    ].reduce((sum, minor) => sum + minor, 0n);
    const difference = row.tax.minor - percentOf(row.net, row.rate).minor;
    const isFree = taxFree.has(row.category);
    return [
      ...(row.net.minor === taxable ? [] : [`${prefix}-08`]),
      ...(difference >= -tolerance && difference <= tolerance ? [] : [`${prefix}-09`]),
      ...(isFree === isZero(decimal(row.rate)) ? [] : [`${prefix}-05`]),
      ...(isFree && row.category !== 'Z' && row.reason === undefined ? [`${prefix}-10`] : []),
      ...(row.net.currency === currency ? [] : ['BR-05']),
    ];
  });
  if (isOther && taxes.length > 1) violations.push('BR-O-11');
  if (new Set(taxes.map(taxKey)).size < taxes.length) violations.push('BR-CO-18');
  return violations.map((rule) => ({ rule, code: 'en16931.rule_broken' }));
}

/** UN/ECE Recommendation 20 codes for units of services; unknown units become "one". */
const unitCodes: Readonly<Record<string, string>> = {
  second: 'SEC',
  seconds: 'SEC',
  minute: 'MIN',
  minutes: 'MIN',
  hour: 'HUR',
  hours: 'HUR',
  day: 'DAY',
  days: 'DAY',
  week: 'WEE',
  month: 'MON',
  months: 'MON',
  year: 'ANN',
  byte: 'AD',
  kb: '2P',
  mb: '4L',
  gb: 'E34',
  tb: 'E35',
  kwh: 'KWH',
};
export const oneUnit = 'C62';

/**
 * Expresses a line's amount as the standard requires: its own quantity and unit price if they yield it,
 * otherwise a quantity of one. Prices are never negative (BR-27): a credited amount has a negative quantity.
 */
export function pricedAs(line: {
  readonly quantity: string;
  readonly unit: string;
  readonly unitPrice: string | null;
  readonly total: Money;
}): Pick<DocumentLine, 'quantity' | 'unit' | 'price'> {
  const { quantity, unit, unitPrice, total } = line;
  if (unitPrice !== null && !decimal(unitPrice).lt(zero) && !isZero(decimal(quantity))) {
    const difference = decimal(quantity).times(decimal(unitPrice)).minus(moneyDecimal(total));
    if (size(difference).lte(slack))
      return { quantity, unit: unitCodes[unit.toLowerCase()] ?? oneUnit, price: unitPrice };
  }
  const isBelow = total.minor < 0n;
  return {
    quantity: isBelow ? '-1' : '1',
    unit: oneUnit,
    price: decimalText(size(moneyDecimal(total))),
  };
}

/**
 * Converts a bill's lines that reduce others (discounts, agreed rates, promotional credit) to allowances per
 * tax, or charges if they add.
 */
export function allowancesOf(
  lines: readonly {
    readonly name: string;
    readonly shares: readonly { readonly lineId: string; readonly amount: Money }[];
  }[],
  taxes: readonly (DocumentTax & { readonly lines: readonly string[] })[],
  currency: Currency,
): DocumentAllowance[] {
  return lines.flatMap(({ name, shares }) =>
    taxes.flatMap(({ category, rate, lines: own }): DocumentAllowance[] => {
      const taken = shares.reduce(
        (sum, { lineId, amount }) => (own.includes(lineId) ? sum + amount.minor : sum),
        0n,
      );
      if (taken === 0n) return [];
      return [
        {
          isCharge: taken < 0n,
          reason: name,
          amount: money(absolute(taken), currency),
          tax: { category, rate },
        },
      ];
    }),
  );
}

/** Splits an address as typed into lines. */
export const addressLines = (address: string): string[] =>
  address
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
