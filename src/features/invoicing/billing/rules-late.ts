// Late usage: the difference it makes to its own month, as a line of the next bill (domain.md, "Closing a
// month").
import { decimal, decimalText, sumDecimals, zero, type Decimal } from '#kernel/decimal.ts';
import { money, type Currency } from '#kernel/money.ts';
import type { OneOffTax } from '#features/invoicing/one-offs/contract.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { PlannedLine } from '#features/selling/subscriptions/rules.ts';
import type { lineKinds, LineStep, LineTerm } from './contract.ts';

/** A line of a bill: planned for its month, or an adjustment of an earlier month that it names. */
export type PlannedBillLine = Omit<
  PlannedLine,
  'kind' | 'steps' | 'subscriptionId' | 'serviceId' | 'priceVersionId'
> & {
  readonly kind: (typeof lineKinds)[number];
  readonly steps: readonly LineStep[];
  readonly forMonth: BillingMonth | null;
  /** Null for an organization's term without a subscription, which has no price version either. */
  readonly subscriptionId: string | null;
  readonly serviceId: string | null;
  readonly priceVersionId: string | null;
  readonly term?: LineTerm;
  /** A late fee: discounts do not reduce it, and it may be exempt from tax. */
  readonly lateFee?: { readonly taxedAs: OneOffTax };
};

/**
 * The amount billed so far for a subscription's usage of a month: on its own bill and by later adjustments.
 */
export type BilledUsage = {
  readonly currency: Currency;
  readonly quantity: string;
  readonly exact: string;
  readonly minor: bigint;
};

/** The line kinds that depend on usage; late usage never changes fees. */
const usageKinds: ReadonlySet<string> = new Set(['usage', 'minimum', 'maximum']);
const exactSum = (lines: readonly { readonly exact: Decimal }[]): Decimal =>
  sumDecimals(lines.map((line) => line.exact));

/**
 * Returns the adjustments of one subscription's month, one for each currency with a difference. The amount is
 * the difference of the rounded amounts, so that all bills add up to what the month would have cost if all
 * usage had arrived in time. It has no quantity if the charges count in several units.
 */
export function adjustmentLines(
  now: readonly PlannedLine[],
  billed: readonly BilledUsage[],
  forMonth: BillingMonth,
  fallback: Pick<PlannedLine, 'subscriptionId' | 'serviceId' | 'serviceName' | 'priceVersionId' | 'unit'> & {
    /** Whether the charges count in different units: their quantities do not add up. */
    readonly hasSeveralUnits?: boolean;
  },
): PlannedBillLine[] {
  const byUsage = now.filter((line) => usageKinds.has(line.kind));
  const currencies = [
    ...new Set([...byUsage.map((line) => line.amount.currency), ...billed.map((each) => each.currency)]),
  ].toSorted();
  return currencies.flatMap((currency): PlannedBillLine[] => {
    const lines = byUsage.filter((line) => line.amount.currency === currency);
    const before = billed.filter((each) => each.currency === currency);
    const used = lines.filter((line) => line.kind === 'usage');
    const [quantity, billedQuantity] = [
      sumDecimals(used.map((line) => decimal(line.quantity))),
      sumDecimals(before.map((each) => decimal(each.quantity))),
    ];
    const [exact, billedExact] = [exactSum(lines), sumDecimals(before.map((each) => decimal(each.exact)))];
    const minor =
      lines.reduce((sum, line) => sum + line.amount.minor, 0n) -
      before.reduce((sum, each) => sum + each.minor, 0n);
    if (minor === 0n && exact.eq(billedExact)) return [];
    const { subscriptionId, serviceId, serviceName, priceVersionId, unit } =
      used.at(-1) ?? lines.at(-1) ?? fallback;
    const step = (kind: 'recounted' | 'billed', of: Decimal, amount: Decimal): LineStep => ({
      kind,
      from: null,
      upTo: null,
      quantity: decimalText(of),
      unitPrice: '0',
      amount: decimalText(amount),
    });
    return [
      {
        kind: 'adjustment',
        forMonth,
        subscriptionId,
        serviceId,
        serviceName,
        priceVersionId,
        unitPrice: null,
        ...(fallback.hasSeveralUnits === true
          ? { quantity: '0', unit: '' }
          : { quantity: decimalText(quantity.minus(billedQuantity)), unit }),
        exact: exact.minus(billedExact),
        amount: money(minor, currency),
        steps: [step('recounted', quantity, exact), step('billed', billedQuantity, zero.minus(billedExact))],
      },
    ];
  });
}
