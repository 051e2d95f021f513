// Commitments as text: their term, scope, amounts and rates.
import { required } from '#kernel/assert.ts';
import type { Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import { scopeInWords } from '#features/invoicing/credit-grants/rules.ts';
import type {
  Commitment,
  CommitmentPeriod,
  CommitmentRisk,
  CommitmentState,
  PeriodState,
} from '../contract.ts';

export const stateTones: Readonly<Record<CommitmentState, BadgeTone>> = {
  active: 'success',
  upcoming: 'primary',
  ended: 'neutral',
};
export const riskTones: Readonly<Record<CommitmentRisk, BadgeTone>> = {
  on_track: 'success',
  behind: 'warning',
  over: 'info',
};
export const periodTones: Readonly<Record<PeriodState, BadgeTone>> = {
  upcoming: 'neutral',
  running: 'primary',
  awaiting_bill: 'info',
  settled: 'success',
};

type Rates = Pick<Commitment, 'committedPercent' | 'overagePercent'>;
const listPrice = '100';

export function useCommitmentWords() {
  const { t } = useTranslation('commitments');
  const { t: tCredit } = useTranslation('creditgrants');
  const format = useFormat();
  const months = (from: BillingMonth, to: BillingMonth): string =>
    from === to
      ? format.month(from)
      : t('commitments.months_range', { from: format.month(from), to: format.month(to) });
  return {
    /** "2026年11月 至 2027年1月" */
    months,
    /** "物件儲存、資料庫 · 僅限用量費用" */
    scope: (scope: Commitment['scope']): string =>
      scopeInWords(scope, {
        language: format.language,
        say: (key, params) => tCredit(key, params),
        list: format.list,
      }),
    /** "以定價的 80% 計，超過的部分以 90% 計" */
    rates: ({ committedPercent: committed, overagePercent: overage }: Rates): string => {
      if (committed === listPrice)
        return overage === listPrice
          ? t('commitments.rates_list')
          : t('commitments.rates_overage', { overage });
      return overage === listPrice
        ? t('commitments.rates_committed', { committed })
        : t('commitments.rates_both', { committed, overage });
    },
    /** "每季至少 NT$300,000" */
    // used as: 'commitments.at_least_*', 'commitments.ramp_*'
    atLeast: (period: CommitmentPeriod, amounts: readonly Money[]): string => {
      const first = required(amounts[0], 'the amount of the first period');
      const last = required(amounts.at(-1), 'the amount of the last period');
      const isLevel = amounts.every(({ minor }) => minor === first.minor);
      if (isLevel || period === 'contract')
        return t(`commitments.at_least_${period}`, { amount: format.money(first) });
      return t(`commitments.ramp_${period}`, {
        first: format.money(first),
        last: format.money(last),
      });
    },
  };
}
