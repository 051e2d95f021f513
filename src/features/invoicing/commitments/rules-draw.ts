// What a commitment makes of the lines of a bill, to the last unit: fractions of whole numbers, never a float.
import { assert, required } from '#kernel/assert.ts';
import { roundedQuotient, unitsOf } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { grantCovers, type LineNature, type Scope } from '#features/invoicing/credit-grants/rules.ts';

/** What a commitment covers, as credit does: services by id (null: all) or single charges of them, and whether only their usage. */
export type CommitmentScope = Omit<Scope, 'charges'> & { readonly charges?: Scope['charges'] | undefined };
/** What a line of a bill is for; null where it is for no service or no charge in particular. */
export type CoveredLine = {
  readonly serviceId: string | null;
  readonly chargeKey?: string | null | undefined;
  readonly nature: LineNature;
};

/** A commitment as the bill of one month takes it. Amounts are minor units of its currency. */
export type CommitmentInForce = {
  readonly id: Id<'cmt'>;
  /** Changes whenever what bills drew of it or its terms do; see `holdCommitments`. */
  readonly version: bigint;
  readonly name: { readonly zhTW: string; readonly enUS: string };
  readonly scope: CommitmentScope;
  readonly currency: Currency;
  /** Of the price, while the period's amount is not used up: "80" is 80 %. */
  readonly committedPercent: string;
  /** Of the price, beyond it. */
  readonly overagePercent: string;
  readonly period: {
    readonly index: number;
    readonly firstMonth: BillingMonth;
    readonly lastMonth: BillingMonth;
  };
  /** The period's committed amount. */
  readonly amount: bigint;
  /** What is due when the period is settled: the amount, unless the commitment ended early. */
  readonly target: bigint;
  /**
   * Of the period by bills that stand, without the one that is to be replaced. Below zero only when a bill was
   * voided of which refunds on others gave something back.
   */
  readonly drawn: bigint;
  /** Charged for the period by those bills because too little was drawn. */
  readonly trueUp: bigint;
  /** Whether the bill settles the period: it is of its last month, or the period was settled already. */
  readonly settles: boolean;
};

/** Whether a commitment covers a line; one without a service only when it covers all services, `other` never. */
export function commitmentCovers(
  { services, charges = null, usageOnly }: CommitmentScope,
  { serviceId, chargeKey = null, nature }: CoveredLine,
): boolean {
  return (
    nature !== 'other' && grantCovers({ services, charges, usageOnly }, { serviceId, chargeKey, nature })
  );
}

/**
 * To which of a bill's commitments a line belongs: the first one that covers it, in the order in which
 * `commitmentsOf` returns them; undefined: to none. A line that belongs to one draws of no other.
 */
export function commitmentOfLine<C extends Pick<CommitmentInForce, 'scope'>>(
  commitments: readonly C[],
  line: CoveredLine,
): C | undefined {
  return commitments.find(({ scope }) => commitmentCovers(scope, line));
}

export type DrawLine = CoveredLine & {
  /** What discounts left of it, in minor units of the commitment's currency; below zero for a refund. */
  readonly left: bigint;
};
export type Drawn = {
  /** By line, in the lines' order: what the committed rate changes of it; below zero for a charge. */
  readonly committed: readonly bigint[];
  /** By line: what the overage rate changes of it. */
  readonly overage: readonly bigint[];
  /** What the bill draws of the period; below zero when refunds give something back. */
  readonly drawn: bigint;
  /** By line: what of it each line comes to. They add up to it. */
  readonly drawnOf: readonly bigint[];
  /**
   * By line, where the bill is split: what of what is left of it is within the commitment, before the committed rate. The
   * rest of it is beyond. Null where no part of the bill is beyond the commitment.
   */
  readonly withinOf: readonly bigint[] | null;
  /** What the bill charges because too little was drawn; below zero when it takes back some of that. */
  readonly trueUp: bigint;
};

/** What a line of a bill drew of a commitment. Amounts are minor units of the commitment's currency. */
export type DrawOfLine = {
  /** On the bill, from 1. */
  readonly position: number;
  /** At the committed rate. */
  readonly minor: bigint;
  /** Of a line that is split: what of it after discounts is within the commitment and what beyond, before the rates of either. */
  readonly split?: { readonly within: bigint; readonly beyond: bigint };
};

/** Percentages have at most this many fraction digits. */
export const percentDigits = 4;
const whole = 100n * 10n ** BigInt(percentDigits);

/**
 * What one commitment makes of a bill's lines (those that it covers and that no commitment before it does; see
 * {@link commitmentOfLine}).
 *
 * While the period's amount is not used up, the covered lines cost `committedPercent` of what is left of them.
 * When they come to more at that rate than what is left of the amount, they are split: the part whose committed
 * price is exactly what is left, and the rest at `overagePercent`. Refunds as a whole are at the committed rate
 * and give back what they come to. What the committed rate changes and what the overage rate changes are each
 * rounded once, half away from zero, and spread over the covered lines in proportion to what is left of them.
 *
 * A bill that settles the period brings what was charged as true-up to the target less what was drawn in all,
 * or to zero.
 */
export function drawDown(commitment: CommitmentInForce, lines: readonly DrawLine[]): Drawn {
  const { scope, amount, drawn: before } = commitment;
  const left = lines.map((line) => (commitmentCovers(scope, line) ? line.left : 0n));
  const sum = total(left);
  const committedRate = unitsOf(commitment.committedPercent, percentDigits);
  const room = larger(amount - before, 0n);
  const isOver = sum > 0n && sum * committedRate > room * whole;
  // Of a split sum the share at the committed rate is (room / committedRate) / sum.
  const committedShare: Fraction = isOver
    ? { top: room * whole, bottom: committedRate * sum }
    : { top: 1n, bottom: 1n };
  const committed = spreadChange(left, nothingChanged(left), times(committedShare, committedRate - whole));
  const overage = isOver
    ? spreadChange(
        left,
        committed,
        times(
          { top: committedShare.bottom - committedShare.top, bottom: committedShare.bottom },
          unitsOf(commitment.overagePercent, percentDigits) - whole,
        ),
      )
    : nothingChanged(left);
  const atCommitted = isOver ? room : sum + total(committed);
  // Refunds give back no more than what was drawn.
  const drawn = atCommitted < 0n ? larger(atCommitted, -larger(before, 0n)) : atCommitted;
  return {
    committed,
    overage,
    drawn,
    drawnOf: drawnByLine(left, committed, drawn),
    withinOf: isOver ? spreadChange(left, nothingChanged(left), committedShare) : null,
    trueUp: trueUpOf(commitment, before + drawn),
  };
}

/**
 * What each line draws: its price at the committed rate or, where the draw is not the sum of those (a split bill, refunds that
 * give back no more than was drawn), its part of the draw in proportion to what is left of it, by largest remainder.
 */
function drawnByLine(left: readonly bigint[], committed: readonly bigint[], drawn: bigint): bigint[] {
  const priced = left.map((amount, index) => amount + required(committed[index], 'the change of a line'));
  const sum = total(left);
  if (total(priced) === drawn || sum === 0n) return priced;
  const [top, bottom] = sum > 0n ? [drawn, sum] : [-drawn, -sum];
  return spreadChange(left, nothingChanged(left), { top, bottom });
}

function trueUpOf({ settles, target, trueUp }: CommitmentInForce, drawnInAll: bigint): bigint {
  return settles ? larger(target - larger(drawnInAll, 0n), 0n) - trueUp : 0n;
}

/** `bottom` is above zero. */
type Fraction = { readonly top: bigint; readonly bottom: bigint };
/** A fraction of a percentage that is given in units of {@link percentDigits}. */
const times = ({ top, bottom }: Fraction, percent: bigint): Fraction => ({
  top: top * percent,
  bottom: bottom * whole,
});
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, each) => sum + each, 0n);
const nothingChanged = (left: readonly bigint[]): bigint[] => left.map(() => 0n);

/**
 * Changes every line by the same fraction of what is left of it. The sum of the changes is rounded once; each
 * line gets the whole units of its exact change (towards zero), and the units that remain go to the largest fractions (the
 * largest remainder), the first line before later ones, but never so that a charge falls below zero or a refund
 * rises above it. `changed`: by how much each line was changed before.
 */
function spreadChange(
  left: readonly bigint[],
  changed: readonly bigint[],
  { top, bottom }: Fraction,
): bigint[] {
  if (top === 0n) return nothingChanged(left);
  const parts = left.map((amount, index): Part => {
    const exact = amount * top;
    // What takes the line to zero; changes are bounded there on the side of the line's sign only.
    const toZero = -(amount + required(changed[index], 'an earlier change of a line'));
    const least = amount > 0n ? toZero : amount === 0n ? 0n : undefined;
    const most = amount < 0n ? toZero : amount === 0n ? 0n : undefined;
    return { exact, least, most, units: exact / bottom };
  });
  const target = roundedQuotient(total(left) * top, bottom);
  let open = target - total(parts.map(({ units }) => units));
  while (open !== 0n) {
    const step = open > 0n ? 1n : -1n;
    const given = parts
      .filter((part) => isWithin(part.units + step, part))
      .toSorted((a, b) => byRemainder(a, b, bottom, step))
      .slice(0, Number(open * step));
    assert(given.length > 0, 'a change that was rounded once fits the lines');
    for (const part of given) part.units += step;
    open -= step * BigInt(given.length);
  }
  return parts.map(({ units }) => units);
}

type Part = {
  /** The exact change times the fraction's bottom. */
  readonly exact: bigint;
  readonly least: bigint | undefined;
  readonly most: bigint | undefined;
  units: bigint;
};

/** Which part gets a unit more (`step` 1) or less (-1) before another. The sort keeps the lines' order of equals. */
function byRemainder(a: Part, b: Part, bottom: bigint, step: bigint): number {
  const difference = (a.exact - a.units * bottom - (b.exact - b.units * bottom)) * step;
  return difference === 0n ? 0 : difference > 0n ? -1 : 1;
}

const isWithin = (value: bigint, { least, most }: Pick<Part, 'least' | 'most'>): boolean =>
  (least === undefined || value >= least) && (most === undefined || value <= most);
