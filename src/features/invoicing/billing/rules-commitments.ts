// Commitments on a bill: the rates that were agreed for what is drawn of them and for what is beyond, and at the end of a
// period what is missing of its amount.
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

/** What a bill draws of a commitment's period, and charges of what is missing at its end. */
export type DrawnCommitment = {
  readonly id: Id<'cmt'>;
  readonly version: bigint;
  /** From 0. */
  readonly period: number;
  readonly drawn: Money;
  readonly trueUp: Money;
  readonly isSettlement: boolean;
  /** What each line of the bill came to of `drawn`. */
  readonly draws: readonly DrawOfLine[];
};

/** Whether something would be charged at the end of the period if the bill drew nothing: it is due also for a month without any other line. */
export function isTrueUpDue({ settles, target, drawn, trueUp }: CommitmentInForce): boolean {
  const missing = target > drawn ? target - drawn : 0n;
  return settles && missing !== trueUp;
}

/** One-off charges are neither fees nor usage of what was committed to. */
const natureForCommitment = (line: PlannedBillLine): 'fee' | 'usage' | 'other' =>
  line.kind === 'one_off' ? 'other' : natureOf(line);

/**
 * The lines of commitments after discounts; what the lines have left changes by the agreed rates. A line draws of the first
 * commitment that covers it alone.
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
    // Also when nothing is drawn: the month counts as billed then.
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

/** What was agreed for the period, less what bills drew of it and, where it was settled before, less what they charged at its end. */
function trueUpLine(
  { id, name, currency, period, target, drawn, trueUp }: CommitmentInForce,
  drawnNow: bigint,
  amount: bigint,
): PlannedBillLine {
  // More than what is due at the end may be drawn: what is missing is never below zero.
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

/** What earlier bills of the same month or of those before leave of commitments. */
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
