// Proposed commitments in a quote or a simulation: how the bills of future or past months would draw from
// them.
import { required } from '#kernel/assert.ts';
import { encodeId, type Id } from '#kernel/ids.ts';
import type { Currency, Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { CommitmentPeriod } from './contract.ts';
import type { CommitmentInForce } from './rules-draw.ts';
import { byDrawOrder, inForce, periodCount, type CommitmentTerms, type PeriodSums } from './rules-periods.ts';

/** The default percentage of the price. */
export const usualPercent = '100';

/** A proposed commitment; `amounts` has one entry per period, or one for all of them. */
export type CommitmentProposal = Pick<CommitmentInForce, 'name'> & {
  /** A multiple of the period's months. */
  readonly months: number;
  readonly period: CommitmentPeriod;
  readonly amounts: readonly Money[];
  readonly committedPercent?: string | undefined;
  readonly overagePercent?: string | undefined;
  readonly scope?: CommitmentInForce['scope'] | undefined;
};

// Proposals are not stored, so their ids only distinguish them, in the order in which they would be created.
const noRandomness = new Uint8Array(10);
const madeAtOnce = new Date(0);
/** The id of the proposed commitment at an index. */
export const proposedId = (place: number): Id<'cmt'> => encodeId('cmt', place, noRandomness);

/** Returns the terms with an amount for each period, in minor units. */
export function termsOfProposal(
  { months, period, amounts }: Pick<CommitmentProposal, 'months' | 'period' | 'amounts'>,
  startsOn: BillingMonth,
): CommitmentTerms {
  const minors = amounts.map(({ minor }) => minor);
  const count = required(periodCount({ period, months }), 'whole periods');
  const perPeriod = minors.length === 1 ? Array.from({ length: count }, () => minors).flat() : minors;
  return { startsOn, months, period, amounts: perPeriod, ended: null };
}

/** What the months so far drew from each period of proposed commitments, and their true-ups. */
export type ProposedDraws = ReadonlyMap<string, PeriodSums>;
const drawKey = (id: Id<'cmt'>, period: number): string => `${id} ${period}`;
export const drawsOf = (draws: ProposedDraws, id: Id<'cmt'>, period: number): PeriodSums | undefined =>
  draws.get(drawKey(id, period));

/** Adds the draws of a month's bill to those of earlier months. */
export function drawsAfter(
  before: ProposedDraws,
  applied: readonly {
    readonly id: Id<'cmt'>;
    readonly period: number;
    readonly drawn: Money;
    readonly trueUp: Money;
    readonly isSettlement: boolean;
  }[],
): ProposedDraws {
  const draws = new Map(before);
  for (const { id, period, drawn, trueUp, isSettlement } of applied) {
    const sums = drawsOf(draws, id, period);
    draws.set(drawKey(id, period), {
      drawn: (sums?.drawn ?? 0n) + drawn.minor,
      trueUp: (sums?.trueUp ?? 0n) + trueUp.minor,
      isSettled: (sums?.isSettled ?? false) || isSettlement,
    });
  }
  return draws;
}

/**
 * Returns proposed commitments as they apply to the bill of a month, in the order in which lines belong to
 * them, if all of them start in `startsOn`. `draws`: the draws of earlier months.
 */
export function proposedInForce(
  proposed: readonly CommitmentProposal[],
  { currency, startsOn }: { readonly currency: Currency; readonly startsOn: BillingMonth },
  month: BillingMonth,
  draws: ProposedDraws,
): CommitmentInForce[] {
  return proposed
    .map((commitment, place) => {
      const { name, committedPercent = usualPercent, overagePercent = usualPercent } = commitment;
      const id = proposedId(place);
      const scope = commitment.scope ?? { services: null, usageOnly: false };
      return {
        rank: { scope, createdAt: madeAtOnce, id },
        taken: inForce(
          {
            id,
            version: 0n,
            name,
            scope,
            currency,
            committedPercent,
            overagePercent,
            terms: termsOfProposal(commitment, startsOn),
          },
          month,
          (periodIndex) => drawsOf(draws, id, periodIndex),
        ),
      };
    })
    .toSorted((a, b) => byDrawOrder(a.rank, b.rank))
    .flatMap(({ taken }) => taken ?? []);
}
