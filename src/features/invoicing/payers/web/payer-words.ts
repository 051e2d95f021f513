// The months of a payer as text, the months to choose from, and checks shared by the forms of payers.
import * as z from 'zod/mini';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, monthsFrom } from '#kernel/time.ts';
import { problem } from '#platform/web/form/problems.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { monthNow } from '#platform/web/time/months.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import type { payerStates } from '../contract.ts';
import { mostMonthsAhead, mostMonthsBack } from '../rules.ts';

/** If another organization pays, it must be chosen. */
export const payerIsChosen = z.refine<{ readonly paidBy: string; readonly payerId: unknown }>(
  ({ paidBy, payerId }) => paidBy !== 'another' || payerId !== null,
  { path: ['payerId'], error: problem('form.required') },
);

/** The colors of planned, current and past spans. */
export const stateTones = {
  planned: 'info',
  current: 'success',
  ended: 'neutral',
} as const satisfies Record<(typeof payerStates)[number], BadgeTone>;

/** The months in which a change can start, and the current month. */
export function useMonthsToChoose(): {
  readonly now: BillingMonth;
  readonly options: readonly { readonly value: BillingMonth; readonly label: string }[];
} {
  const format = useFormat();
  const now = monthNow(useBrand((brand) => brand.timeZone));
  const options = monthsFrom(addMonths(now, -mostMonthsBack), mostMonthsAhead + mostMonthsBack + 1).map(
    (value) => ({ value, label: format.month(value) }),
  );
  return { now, options };
}

/** Describes the first month, or the first and last month. */
export function useSpanWords(): (span: {
  readonly from: BillingMonth;
  readonly until: BillingMonth | null;
}) => string {
  const { t } = useTranslation('payers');
  const format = useFormat();
  return ({ from, until }) =>
    until === null
      ? t('payers.from_on', { month: format.month(from) })
      : from === until
        ? format.month(from)
        : t('payers.from_until', { from: format.month(from), until: format.month(until) });
}
