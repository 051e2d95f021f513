// Splits the difference between two bills by cause: each cause's amount is exact, and together they equal the
// whole difference.
import { decimal, divide } from '#kernel/decimal.ts';
import { money, subtractMoney, type Money, absolute } from '#kernel/money.ts';
import { assert } from '#kernel/assert.ts';
import { compareTexts } from '#kernel/order.ts';
import { termKinds, type BillChange, type changeCauses, type changeDirections } from './contract.ts';
import { feeEffects, usagePriceEffect, type ComparedLine, type PricingOf } from './rules-price-effect.ts';

export type ChangeCause = (typeof changeCauses)[number];
export type ComparedBill = { readonly total: Money; readonly lines: readonly ComparedLine[] };
/** Distinguishes a subscription that started or ended from one with a month without charges. */
export type Change = {
  /**
   * Whether a subscription started in the later bill's month, and whether it had ended by the end of that
   * month.
   */
  readonly began: (subscriptionId: string) => boolean;
  readonly ended: (subscriptionId: string) => boolean;
  readonly pricingOf: PricingOf;
};

/** Largest first, equal ones by name. */
const byWeight = <T extends { readonly name: string; readonly minor: bigint }>(list: readonly T[]): T[] =>
  list
    .filter((each) => each.minor !== 0n)
    .toSorted((a, b) =>
      absolute(a.minor) > absolute(b.minor)
        ? -1
        : absolute(a.minor) < absolute(b.minor)
          ? 1
          : compareTexts(a.name, b.name),
    );

const maxMovers = 3;
const maxServices = 10;

/**
 * The change from the previous bill: the difference, the services that contribute most to it, and the causes.
 */
export function changeBetween(current: ComparedBill, previous: ComparedBill, known: Change): BillChange {
  const { currency } = current.total;
  const difference = subtractMoney(current.total, previous.total);
  const parts = partsOf(current, previous, known);
  const tax = difference.minor - sumOf(parts);
  const services = byWeight(
    [...Map.groupBy(parts.filter(isOfService), (part) => part.name)].map(([name, own]) => ({
      name,
      minor: sumOf(own),
    })),
  );
  const direction: (typeof changeDirections)[number] =
    difference.minor > 0n ? 'increase' : difference.minor < 0n ? 'decrease' : 'flat';
  const percent =
    previous.total.minor > 0n
      ? Number(divide(decimal(difference.minor).times('100'), decimal(previous.total.minor), 1).toFixed())
      : null;
  const causes = byWeight(
    [...Map.groupBy(parts, (part) => part.cause)].map(([cause, own]) => ({
      name: cause,
      minor: sumOf(own),
      own,
    })),
  );
  const ofCauses = causes.map(({ name, minor, own }) => {
    const moved = byWeight(
      [...Map.groupBy(own.filter(isOfService), (part) => part.name)].map(([service, several]) => ({
        name: service,
        minor: sumOf(several),
      })),
    );
    const shown = moved.slice(0, maxServices);
    return {
      cause: name,
      difference: money(minor, currency),
      services: shown.map((each) => ({ serviceName: each.name, difference: money(each.minor, currency) })),
      others: money(minor - sumOf(shown), currency),
    };
  });
  if (tax !== 0n)
    ofCauses.push({
      cause: 'tax',
      difference: money(tax, currency),
      services: [],
      others: money(tax, currency),
    });
  assert(
    ofCauses.reduce((sum, cause) => sum + cause.difference.minor, 0n) === difference.minor,
    'the causes add up to the change',
  );
  return {
    previousTotal: previous.total,
    difference,
    percent,
    direction,
    movers: services
      .slice(0, maxMovers)
      .map(({ name, minor }) => ({ serviceName: name, difference: money(minor, currency) })),
    causes: ofCauses,
  };
}

/** Terms apply to the whole bill and name no service. */
const isOfService = (part: Part): boolean => part.cause !== 'terms';
type Part = { readonly cause: ChangeCause; readonly name: string; readonly minor: bigint };
const sumOf = (list: readonly { readonly minor: bigint }[]): bigint =>
  list.reduce((sum, each) => sum + each.minor, 0n);
const amountOf = (lines: readonly ComparedLine[]): bigint =>
  lines.reduce((sum, line) => sum + line.amount.minor, 0n);

/** The difference of all lines, split into parts with one cause each. */
function partsOf(current: ComparedBill, previous: ComparedBill, known: Change): Part[] {
  const [now, before] = [bySubscription(current), bySubscription(previous)];
  const terms = amountOf(current.lines.filter(isOfTerm)) - amountOf(previous.lines.filter(isOfTerm));
  const ofSubscriptions = [...new Set([...now.keys(), ...before.keys()])].flatMap((subscriptionId) => {
    const [current, earlier] = [now.get(subscriptionId) ?? [], before.get(subscriptionId) ?? []];
    const name = (current.at(-1) ?? earlier.at(-1))?.serviceName ?? '';
    const moved = (cause: ChangeCause, minor: bigint): Part[] =>
      minor === 0n ? [] : [{ cause, name, minor }];
    const isLate = (line: ComparedLine): boolean => line.kind === 'adjustment';
    const [regular, regularBefore] = [
      current.filter((line) => !isLate(line)),
      earlier.filter((line) => !isLate(line)),
    ];
    const late = moved('late', amountOf(current.filter(isLate)) - amountOf(earlier.filter(isLate)));
    const whole = amountOf(regular) - amountOf(regularBefore);
    if (regularBefore.length === 0 && known.began(subscriptionId))
      return [...late, ...moved('started', whole)];
    if (regular.length === 0 && known.ended(subscriptionId)) return [...late, ...moved('ended', whole)];
    const fees = feeEffects(regular, regularBefore, known.pricingOf);
    const price = usagePriceEffect(regular, regularBefore, known.pricingOf) + fees.price;
    const { proration } = fees;
    return [
      ...late,
      ...moved('price', price),
      ...moved('proration', proration),
      ...moved('volume', whole - price - proration),
    ];
  });
  return [...ofSubscriptions, ...(terms === 0n ? [] : [{ cause: 'terms' as const, name: '', minor: terms }])];
}

/**
 * Discounts, credit, one-off charges and minimum spends have their own cause, whichever subscription they are
 * for.
 */
const isOfTerm = (line: ComparedLine): boolean => termKindSet.has(line.kind);
const termKindSet: ReadonlySet<ComparedLine['kind']> = new Set(termKinds);

function bySubscription({ lines }: ComparedBill): Map<string, ComparedLine[]> {
  const groups = new Map<string, ComparedLine[]>();
  for (const line of lines) {
    if (line.subscriptionId === null || isOfTerm(line)) continue;
    const own = groups.get(line.subscriptionId) ?? [];
    own.push(line);
    groups.set(line.subscriptionId, own);
  }
  return groups;
}
