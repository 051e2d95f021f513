// Computes how a commitment changes the lines of a bill, exactly: with fractions of integers, never floating
// point.
import { assert, required } from '#kernel/assert.ts';
import { roundedQuotient, unitsOf } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { grantCovers, type LineNature, type Scope } from '#features/invoicing/credit-grants/rules.ts';

/**
 * What a commitment covers, like credit: services by id (null: all) or single charges of them, and whether
 * only their usage.
 */
export type CommitmentScope = Omit<Scope, 'charges'> & { readonly charges?: Scope['charges'] | undefined };
/** What a line of a bill is for; null if it is for no particular service or charge. */
export type CoveredLine = {
  readonly serviceId: string | null;
  readonly chargeKey?: string | null | undefined;
  readonly nature: LineNature;
};

/** A commitment as it applies to the bill of one month. Amounts are minor units of its currency. */
export type CommitmentInForce = {
  readonly id: Id<'cmt'>;
  /** Changes whenever its terms or the draws of bills change; see `holdCommitments`. */
  readonly version: bigint;
  readonly name: { readonly zhTW: string; readonly enUS: string };
  readonly scope: CommitmentScope;
  readonly currency: Currency;
  /** The percentage of the price while the period's amount is not used up: "80" is 80 %. */
  readonly committedPercent: string;
  /** The percentage of the price beyond it. */
  readonly overagePercent: string;
  readonly period: {
    readonly index: number;
    readonly firstMonth: BillingMonth;
    readonly lastMonth: BillingMonth;
  };
  /** The period's committed amount. */
  readonly amount: bigint;
  /** The amount owed when the period is settled: the committed amount, unless the commitment ended early. */
  readonly target: bigint;
  /**
   * Drawn from the period by bills in force, excluding the one to be replaced. Negative only if a bill was
   * voided that refunds on other bills partly returned.
   */
  readonly drawn: bigint;
  /** Charged as true-up for the period by those bills. */
  readonly trueUp: bigint;
  /** Whether the bill settles the period: it is for its last month, or the period was settled before. */
  readonly settles: boolean;
};

/**
 * Whether a commitment covers a line. A line without a service is covered only by a commitment for all
 * services; `other` never is.
 */
export function commitmentCovers(
  { services, charges = null, usageOnly }: CommitmentScope,
  { serviceId, chargeKey = null, nature }: CoveredLine,
): boolean {
  return (
    nature !== 'other' && grantCovers({ services, charges, usageOnly }, { serviceId, chargeKey, nature })
  );
}

/**
 * Returns which of a bill's commitments a line belongs to: the first one that covers it, in the order of
 * `commitmentsOf`; undefined for none. A line draws from no other commitment.
 */
export function commitmentOfLine<C extends Pick<CommitmentInForce, 'scope'>>(
  commitments: readonly C[],
  line: CoveredLine,
): C | undefined {
  return commitments.find(({ scope }) => commitmentCovers(scope, line));
}

export type DrawLine = CoveredLine & {
  /** The amount left by discounts, in minor units of the commitment's currency; negative for a refund. */
  readonly left: bigint;
};
export type Drawn = {
  /** By line, in order: the change made by the committed rate; negative for a charge. */
  readonly committed: readonly bigint[];
  /** By line: the change made by the overage rate. */
  readonly overage: readonly bigint[];
  /** What the bill draws from the period; negative if refunds return part of it. */
  readonly drawn: bigint;
  /** By line: each line's part of the draw. They add up to it. */
  readonly drawnOf: readonly bigint[];
  /**
   * By line, if the bill is split: the part of its remaining amount within the commitment, before the
   * committed rate. The rest is overage. Null if no part of the bill is overage.
   */
  readonly withinOf: readonly bigint[] | null;
  /** The true-up that the bill charges; negative if it returns some of it. */
  readonly trueUp: bigint;
};

/** What a line of a bill drew from a commitment. Amounts are minor units of the commitment's currency. */
export type DrawOfLine = {
  /** Its position on the bill, 1-based. */
  readonly position: number;
  /** At the committed rate. */
  readonly minor: bigint;
  /** For a split line: the parts within and beyond the commitment after discounts, before either rate. */
  readonly split?: { readonly within: bigint; readonly beyond: bigint };
};

/** Percentages have at most this many fraction digits. */
export const percentDigits = 4;
const whole = 100n * 10n ** BigInt(percentDigits);

/**
 * Applies one commitment to a bill's lines (those it covers and that no earlier commitment does; see {@link
 * commitmentOfLine}).
 *
 * While the period's amount is not used up, the covered lines cost `committedPercent` of their remaining
 * amounts. If they exceed the rest of the committed amount at that rate, they are split: the part whose
 * committed price equals the rest exactly, and the remainder at `overagePercent`. Refunds use the committed
 * rate as a whole and return what they come to. The changes by the committed rate and by the overage rate are
 * each rounded once, half away from zero, and spread over the covered lines in proportion to their remaining
 * amounts.
 *
 * A bill that settles the period brings the charged true-up to the target minus everything drawn, or to zero.
 */
export function drawDown(commitment: CommitmentInForce, lines: readonly DrawLine[]): Drawn {
  const { scope, amount, drawn: before } = commitment;
  const left = lines.map((line) => (commitmentCovers(scope, line) ? line.left : 0n));
  const sum = total(left);
  const committedRate = unitsOf(commitment.committedPercent, percentDigits);
  const room = larger(amount - before, 0n);
  const isOver = sum > 0n && sum * committedRate > room * whole;
  // The share of a split sum at the committed rate is (room / committedRate) / sum.
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
  // Refunds return at most what was drawn.
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
 * What each line draws: its price at the committed rate. If the draw is not their sum (a split bill, or
 * refunds limited to what was drawn), its part of the draw in proportion to its remaining amount, by largest
 * remainder.
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

/** `bottom` is positive. */
type Fraction = { readonly top: bigint; readonly bottom: bigint };
/** Multiplies a fraction by a percentage given in units of {@link percentDigits}. */
const times = ({ top, bottom }: Fraction, percent: bigint): Fraction => ({
  top: top * percent,
  bottom: bottom * whole,
});
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, each) => sum + each, 0n);
const nothingChanged = (left: readonly bigint[]): bigint[] => left.map(() => 0n);

/**
 * Changes every line by the same fraction of its remaining amount. The sum of the changes is rounded once.
 * Each line gets the whole units of its exact change (towards zero), and the remaining units go to the
 * largest fractions (largest remainder), earlier lines first, but never so that a charge becomes negative or
 * a refund positive. `changed`: by how much each line was changed before.
 */
function spreadChange(
  left: readonly bigint[],
  changed: readonly bigint[],
  { top, bottom }: Fraction,
): bigint[] {
  if (top === 0n) return nothingChanged(left);
  const parts = left.map((amount, index): Part => {
    const exact = amount * top;
    // The change that brings the line to zero; changes are bounded there on the side of the line's sign only.
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
  /** The exact change times the fraction's denominator. */
  readonly exact: bigint;
  readonly least: bigint | undefined;
  readonly most: bigint | undefined;
  units: bigint;
};

/**
 * Which part gets an extra unit (`step` 1) or one less (-1) first. The sort keeps the order of equal lines.
 */
function byRemainder(a: Part, b: Part, bottom: bigint, step: bigint): number {
  const difference = (a.exact - a.units * bottom - (b.exact - b.units * bottom)) * step;
  return difference === 0n ? 0 : difference > 0n ? -1 : 1;
}

const isWithin = (value: bigint, { least, most }: Pick<Part, 'least' | 'most'>): boolean =>
  (least === undefined || value >= least) && (most === undefined || value <= most);
