// The commitments of a quote: validation, and the commitment created when the quote is accepted.
import type { In } from '#kernel/contract.ts';
import type { FieldError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { commitments, commitmentsErrors } from '#features/invoicing/commitments/contract.ts';
import { termsMistakes, usualPercent } from '#features/invoicing/commitments/rules.ts';
import type { quotesErrors } from './contract.ts';
import type { QuoteCommitment } from './contract-content.ts';

type Mistake = FieldError & { readonly code: keyof typeof quotesErrors | keyof typeof commitmentsErrors };

// A commitment starts with the month of acceptance, whichever that is, so its start is always valid.
const anyMonth = '2026-01' as BillingMonth;
const percentPattern = /^\d{1,24}(\.\d{1,12})?$/;

/**
 * Returns the errors of a commitment, field by field; the services it names, directly or by their charges,
 * must be in `offered`.
 */
export function commitmentMistakes(
  field: string,
  commitment: QuoteCommitment,
  currency: Currency,
  offered: ReadonlySet<string>,
): Mistake[] {
  const {
    months,
    period,
    amounts,
    committedPercent = usualPercent,
    overagePercent = usualPercent,
    scope,
  } = commitment;
  const isRead = (percent: string): boolean => percentPattern.test(percent);
  return [
    ...termsMistakes(
      {
        startsOn: anyMonth,
        months,
        period,
        amounts,
        // A text that is not a number is out of range, too.
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
    ...(scope?.charges ?? []).flatMap(({ serviceId }, index): Mistake[] => {
      const at = `${field}.scope.charges.${index}`;
      if (!offered.has(serviceId)) return [{ field: at, code: 'quotes.not_offered' }];
      return scope?.services?.includes(serviceId) === false
        ? [{ field: at, code: 'quotes.charge_of_other_service' }]
        : [];
    }),
  ];
}

/** Builds the commitment created for an organization from a month on. */
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
