// Commitments on a bill: the agreed rates for amounts drawn from them and for overage, and the true-up of the
// shortfall at the end of a period.
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import {
  commitmentCovers,
  drawDown,
  type CommitmentInForce,
  type DrawOfLine,
} from '#features/invoicing/commitments/rules.ts';
import type { PlannedBillLine } from './rules-late.ts';
import { agreedStep, namedShares, natureOf, take, termLine, type Remaining } from './rules-term-lines.ts';

/** What a bill draws from a commitment's period, and the true-up it charges at the period's end. */
export type DrawnCommitment = {
  readonly id: Id<'cmt'>;
  readonly version: bigint;
  /** Zero-based index. */
  readonly period: number;
  readonly drawn: Money;
  readonly trueUp: Money;
  readonly isSettlement: boolean;
  /** How much of `drawn` comes from each line of the bill. */
  readonly draws: readonly DrawOfLine[];
};

/**
 * Whether a true-up would be due at the end of the period if the bill drew nothing: it is charged even in a
 * month without any other line.
 */
export function isTrueUpDue({ settles, target, drawn, trueUp }: CommitmentInForce): boolean {
  const missing = target > drawn ? target - drawn : 0n;
  return settles && missing !== trueUp;
}

/** One-off charges are neither fees nor usage under a commitment. */
const natureForCommitment = (line: PlannedBillLine): 'fee' | 'usage' | 'other' =>
  line.kind === 'one_off' ? 'other' : natureOf(line);

/**
 * Builds the lines of commitments after discounts; changes the lines' remaining amounts by the agreed rates.
 * A line draws only from the first commitment that covers it.
 */
export function commitmentLines(
  currency: Currency,
  remaining: readonly Remaining[],
  commitments: readonly CommitmentInForce[],
): {
  readonly rates: PlannedBillLine[];
  readonly trueUps: PlannedBillLine[];
  readonly drawn: DrawnCommitment[];
} {
  const rates: PlannedBillLine[] = [];
  const trueUps: PlannedBillLine[] = [];
  const drawn: DrawnCommitment[] = [];
  const open = new Set(remaining.keys());
  for (const commitment of commitments) {
    if (commitment.currency !== currency) continue;
    const { id, version, name, committedPercent, overagePercent, period, scope, settles } = commitment;
    const lines = remaining.map(({ line, left }, index) => ({
      serviceId: line.serviceId,
      chargeKey: line.charge?.key ?? null,
      nature: open.has(index) ? natureForCommitment(line) : ('other' as const),
      left,
    }));
    const result = drawDown(commitment, lines);
    for (const [index, line] of lines.entries()) if (commitmentCovers(scope, line)) open.delete(index);
    const ratesOf = [
      { kind: 'committed_rate', percent: committedPercent, changes: result.committed },
      { kind: 'overage_rate', percent: overagePercent, changes: result.overage },
    ] as const;
    for (const { kind, percent, changes } of ratesOf) {
      const shares = changes.map((change) => money(-change, currency));
      const amount = take(currency, remaining, shares);
      if (amount.minor === 0n) continue;
      rates.push(
        termLine({
          kind,
          amount: money(-amount.minor, currency),
          steps: [],
          term: { id, name, percent, shares: namedShares(shares, (index) => index) },
        }),
      );
    }
    if (result.trueUp !== 0n) trueUps.push(trueUpLine(commitment, result.drawn, result.trueUp));
    // Recorded even if nothing is drawn: the month then counts as billed.
    drawn.push({
      id,
      version,
      period: period.index,
      drawn: money(result.drawn, currency),
      trueUp: money(result.trueUp, currency),
      isSettlement: settles,
      draws: result.drawnOf.flatMap((minor, index) => {
        const within = result.withinOf?.[index];
        return minor === 0n
          ? []
          : {
              position: index + 1,
              minor,
              ...(within !== undefined && {
                split: { within, beyond: required(lines[index], 'the line that draws').left - within },
              }),
            };
      }),
    });
  }
  return { rates, trueUps, drawn };
}

/**
 * The amount agreed for the period, minus what bills drew from it and, if it was settled before, minus the
 * true-up they charged.
 */
function trueUpLine(
  { id, name, currency, period, target, drawn, trueUp }: CommitmentInForce,
  drawnNow: bigint,
  amount: bigint,
): PlannedBillLine {
  // More than the committed amount may be drawn: the shortfall is never negative.
  const counted = drawn + drawnNow > target ? target : drawn + drawnNow;
  return termLine({
    kind: 'true_up',
    amount: money(amount, currency),
    steps: [
      agreedStep('committed', target, currency),
      agreedStep('drawn', -counted, currency),
      ...(trueUp === 0n ? [] : [agreedStep('billed', -trueUp, currency)]),
    ],
    term: { id, name, period: { from: period.firstMonth, to: period.lastMonth } },
  });
}

/** What remains of commitments after earlier bills of the same or previous months. */
export function commitmentsAfter(
  commitments: readonly CommitmentInForce[],
  applied: readonly (readonly DrawnCommitment[])[],
): CommitmentInForce[] {
  const drawn = applied.flat();
  return commitments.map((commitment) => {
    const own = drawn.filter(({ id, period }) => id === commitment.id && period === commitment.period.index);
    return own.reduce(
      (rest, use) => ({
        ...rest,
        drawn: rest.drawn + use.drawn.minor,
        trueUp: rest.trueUp + use.trueUp.minor,
      }),
      commitment,
    );
  });
}
