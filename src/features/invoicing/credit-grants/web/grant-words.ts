// Credit grants as text: scope, validity, and status.
import type { BillingMonth } from '#kernel/shape.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import { scopeInWords } from '../rules.ts';
import type { GrantScope, GrantState, OwnGrant } from '../contract.ts';

export const stateTones: Readonly<Record<GrantState, BadgeTone>> = {
  active: 'success',
  upcoming: 'primary',
  used_up: 'neutral',
  expired: 'neutral',
  withdrawn: 'warning',
};

type Period = { readonly startsOn?: BillingMonth | undefined; readonly lastMonth: BillingMonth | null };

export function useGrantWords() {
  const { t } = useTranslation('creditgrants');
  const format = useFormat();
  return {
    /** "物件儲存、虛擬機（時數、磁碟） · 僅限用量費用" */
    scope: (scope: GrantScope): string =>
      scopeInWords(scope, {
        language: format.language,
        say: (key, params) => t(key, params),
        list: format.list,
      }),
    /** "可用於 2026年12月（含）以前的帳單" */
    period: ({ startsOn, lastMonth }: Period): string => {
      if (startsOn === lastMonth && lastMonth !== null)
        return t('creditgrants.only_month', { month: format.month(lastMonth) });
      const until =
        lastMonth === null
          ? t('creditgrants.no_expiry')
          : t('creditgrants.until_month', { month: format.month(lastMonth) });
      return startsOn === undefined
        ? until
        : t('creditgrants.from_month', { month: format.month(startsOn), until });
    },
    /** Null for a one-time grant. */
    recurring: ({ amount, recurring }: Pick<OwnGrant, 'amount' | 'recurring'>): string | null =>
      recurring &&
      t(recurring.rollover ? 'creditgrants.each_month_rollover' : 'creditgrants.each_month', {
        amount: format.money(amount),
      }),
  };
}
