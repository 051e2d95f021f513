// The commitments of a quote: what is wrong with one, what is made of it as the quote is accepted, and how a month's bill
// takes it then.
import type { In } from '#kernel/contract.ts';
import type { FieldError } from '#kernel/errors.ts';
import { required } from '#kernel/assert.ts';
import { encodeId, type Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { commitments, commitmentsErrors } from '#features/invoicing/commitments/contract.ts';
import {
  byDrawOrder,
  inForce,
  periodCount,
  termsMistakes,
  type CommitmentInForce,
  type PeriodSums,
} from '#features/invoicing/commitments/rules.ts';
import type { quotesErrors } from './contract.ts';
import type { QuoteCommitment, QuoteContent } from './contract-content.ts';

type Mistake = FieldError & { readonly code: keyof typeof quotesErrors | keyof typeof commitmentsErrors };

// It begins with the month of acceptance, whichever that is, so that its start is never wrong.
const anyMonth = '2026-01' as BillingMonth;
const percentPattern = /^\d{1,24}(\.\d{1,12})?$/;
const usual = '100';

/** What is wrong with a commitment, field by field; the services that it names are among those of `offered`. */
export function commitmentMistakes(
  field: string,
  commitment: QuoteCommitment,
  currency: Currency,
  offered: ReadonlySet<string>,
): Mistake[] {
  const { months, period, amounts, committedPercent = usual, overagePercent = usual, scope } = commitment;
  const isRead = (percent: string): boolean => percentPattern.test(percent);
  return [
    ...termsMistakes(
      {
        startsOn: anyMonth,
        months,
        period,
        amounts,
        // One that is no figure is out of range, too.
        committedPercent: isRead(committedPercent) ? committedPercent : '0',
        overagePercent: isRead(overagePercent) ? overagePercent : '0',
      },
      anyMonth,
    ).map((mistake): Mistake => ({ ...mistake, field: `${field}.${mistake.field}` })),
    ...amounts.flatMap((amount, index): Mistake[] =>
      amount.currency === currency
        ? []
        : [{ field: `${field}.amounts.${index}`, code: 'quotes.currency_differs', params: { currency } }],
    ),
    ...(scope?.services ?? []).flatMap((serviceId, index): Mistake[] =>
      offered.has(serviceId)
        ? []
        : [{ field: `${field}.scope.services.${index}`, code: 'quotes.not_offered' }],
    ),
  ];
}

/** The commitment that is made for an organization from a month on. */
export const commitmentOf = (
  { name, months, period, amounts, committedPercent, overagePercent, scope }: QuoteCommitment,
  organizationId: Id<'org'>,
  startsOn: BillingMonth,
  note: string,
): In<typeof commitments.makeCommitment> => ({
  organizationId,
  name,
  startsOn,
  months,
  period,
  amounts,
  note,
  ...(committedPercent !== undefined && { committedPercent }),
  ...(overagePercent !== undefined && { overagePercent }),
  ...(scope && { scope }),
});

// What is only offered exists nowhere, so its ids only tell things apart, in the order in which they will be made.
const noRandomness = new Uint8Array(10);

/**
 * The commitments of a quote as the bill of a month takes them, in the order in which lines belong to them, when the quote is
 * accepted at a moment of the month `startsOn`. `sumsOf`: what the months before drew of a period, and charged because too little was.
 */
export function commitmentsIn(
  { commitments = [] }: Pick<QuoteContent, 'commitments'>,
  {
    currency,
    startsOn,
    at,
  }: { readonly currency: Currency; readonly startsOn: BillingMonth; readonly at: Date },
  month: BillingMonth,
  sumsOf: (id: Id<'cmt'>, periodIndex: number) => PeriodSums | undefined,
): CommitmentInForce[] {
  return commitments
    .map((commitment, place) => {
      const { name, months, period, amounts, committedPercent = usual, overagePercent = usual } = commitment;
      const id = encodeId('cmt', place, noRandomness);
      const scope = commitment.scope ?? { services: null, usageOnly: false };
      const minors = amounts.map(({ minor }) => minor);
      const count = required(periodCount({ period, months }), 'whole periods');
      const perPeriod = minors.length === 1 ? Array.from({ length: count }, () => minors).flat() : minors;
      return {
        rank: { scope, createdAt: at, id },
        taken: inForce(
          {
            id,
            version: 0n,
            name,
            scope,
            currency,
            committedPercent,
            overagePercent,
            terms: { startsOn, months, period, amounts: perPeriod, ended: null },
          },
          month,
          (periodIndex) => sumsOf(id, periodIndex),
        ),
      };
    })
    .toSorted((a, b) => byDrawOrder(a.rank, b.rank))
    .flatMap(({ taken }) => taken ?? []);
}
