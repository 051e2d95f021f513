// Interim bills: usage of the current month is billed before its end once it passes a threshold, and the
// month's own bill deducts what they charged.
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { money, moneyDecimal, type Currency, type Money } from '#kernel/money.ts';
import { spread } from '#features/invoicing/discounts/rules.ts';
import type { LineTerm } from './contract.ts';
import type { PlannedBillLine } from './rules-late.ts';
import { agreedStep, termLine } from './rules-term-lines.ts';

/** An interim bill in force. */
export type InterimBill = {
  readonly id: Id<'bil'>;
  readonly number: string;
  readonly currency: Currency;
  /** Before tax, the amount charged for each subscription. */
  readonly lines: readonly {
    readonly subscriptionId: string;
    readonly serviceId: string;
    readonly serviceName: string;
    readonly minor: bigint;
  }[];
};

/** The deductions on the month's own bill for interim bills: one line for each of theirs. */
export function deductionLines(currency: Currency, interims: readonly InterimBill[]): PlannedBillLine[] {
  return interims
    .filter((interim) => interim.currency === currency)
    .flatMap(({ id, number, lines }) =>
      lines.map(({ subscriptionId, serviceId, serviceName, minor }) =>
        termLine({
          kind: 'interim_deduction',
          amount: money(-minor, currency),
          steps: [agreedStep('billed', -minor, currency)],
          service: { subscriptionId, serviceId, serviceName },
          term: { id, name: { zhTW: number, enUS: number } },
        }),
      ),
    );
}

/** The final amount of each line: its amount plus or minus the shares that term lines took off or added. */
export function chargedOfLines(
  lines: readonly { readonly amount: bigint; readonly shares: LineTerm['shares'] }[],
): bigint[] {
  const taken = new Map<string, bigint>();
  for (const { lineId, amount } of lines.flatMap(({ shares }) => shares ?? []))
    taken.set(lineId, (taken.get(lineId) ?? 0n) + amount.minor);
  return lines.map(({ amount }, index) => amount - (taken.get(String(index + 1)) ?? 0n));
}

/** The threshold for an interim bill. */
export type InterimThreshold = { readonly id: string; readonly amount: Money };
/** The current month as it would be billed now, minus what its interim bills charged. */
type RunningPlan = {
  readonly currency: Currency;
  readonly lines: readonly PlannedBillLine[];
  readonly net: Money;
  readonly total: Money;
};

/**
 * Returns the lines of an interim bill that is due; none while the unbilled usage of the month is below the
 * threshold.
 *
 * Unbilled usage is the usage of each subscription after discounts, agreed rates and promotional credit,
 * minus what interim bills charged for it. Amounts that prepaid credit will pay, and that credits of other
 * lines will deduct, are not charged in advance: the bill never exceeds what the month would cost now.
 * `prepaid` is after tax, everything else before tax.
 */
export function interimLines(
  plan: RunningPlan,
  interims: readonly InterimBill[],
  prepaid: Money,
  threshold: InterimThreshold,
  name: LineTerm['name'],
): PlannedBillLine[] {
  const { currency } = plan;
  const unbilled = unbilledUsage(plan, interims);
  const positive = unbilled.reduce((sum, { minor }) => (minor > 0n ? sum + minor : sum), 0n);
  const sum = unbilled.reduce((whole, { minor }) => whole + minor, 0n);
  const amount = least(sum, positive, openOf(plan, prepaid));
  if (amount < threshold.amount.minor || amount <= 0n) return [];
  const parts = spread(
    money(amount, currency),
    unbilled.map(({ minor }) => money(minor, currency)),
  );
  return unbilled.flatMap(({ service, used, billed }, index) => {
    const part = required(parts[index], 'a part of an interim bill');
    if (part.minor === 0n) return [];
    const rest = used - billed - part.minor;
    const steps = [
      agreedStep('used', used, currency),
      ...(billed === 0n ? [] : [agreedStep('billed', -billed, currency)]),
      ...(rest === 0n ? [] : [agreedStep('covered', -rest, currency)]),
    ];
    return [
      termLine({
        kind: 'interim',
        amount: part,
        exact: moneyDecimal(part),
        steps,
        service,
        term: { id: threshold.id, name },
      }),
    ];
  });
}

const least = (...values: readonly bigint[]): bigint => values.reduce((a, b) => (b < a ? b : a));

/**
 * Before tax, the amount of the month left to pay other than by prepaid credit; the part that credit pays is
 * rounded up.
 */
function openOf({ net, total }: RunningPlan, prepaid: Money): bigint {
  if (net.minor <= 0n || total.minor <= 0n) return 0n;
  return (net.minor * (total.minor - prepaid.minor)) / total.minor;
}

type Unbilled = {
  readonly service: {
    readonly subscriptionId: string;
    readonly serviceId: string | null;
    readonly serviceName: string;
  };
  readonly used: bigint;
  readonly billed: bigint;
  readonly minor: bigint;
};

/** By subscription, in the order of the lines. A minimum is not due before the month is over. */
function unbilledUsage({ currency, lines }: RunningPlan, interims: readonly InterimBill[]): Unbilled[] {
  const charged = chargedOfLines(
    lines.map(({ amount, term }) => ({ amount: amount.minor, shares: term?.shares })),
  );
  const used = new Map<string, Omit<Unbilled, 'billed' | 'minor'>>();
  for (const [index, line] of lines.entries()) {
    const { subscriptionId, serviceId, serviceName, kind } = line;
    if (subscriptionId === null || (kind !== 'usage' && kind !== 'maximum')) continue;
    const before = used.get(subscriptionId)?.used ?? 0n;
    const service = { subscriptionId, serviceId, serviceName };
    used.set(subscriptionId, { service, used: before + required(charged[index], 'a line’s charge') });
  }
  const billed = new Map<string, bigint>();
  for (const line of interims
    .filter((interim) => interim.currency === currency)
    .flatMap((each) => each.lines))
    billed.set(line.subscriptionId, (billed.get(line.subscriptionId) ?? 0n) + line.minor);
  return [...used].map(([subscriptionId, of]) => {
    const before = billed.get(subscriptionId) ?? 0n;
    return { ...of, billed: before, minor: of.used - before };
  });
}
