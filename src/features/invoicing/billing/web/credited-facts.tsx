// The credited amount of a bill, and the part that went to the balance; nothing if there are no credits.
import type { ReactNode } from 'react';
import { sumMoney } from '#kernel/money.ts';
import type { Bill } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Money } from '#platform/web/ui/Money.tsx';

export function useCreditedFacts({
  credited,
  returned,
  currency,
}: Pick<Bill, 'credited' | 'returned' | 'currency'>): readonly (readonly [
  label: string,
  value: ReactNode,
])[] {
  const { t } = useTranslation('billing');
  const whole = sumMoney([credited, returned], currency);
  return [
    ...(whole.minor === 0n
      ? []
      : [[t('billing.credited_whole'), <Money key="credited" amount={whole} />] as const]),
    ...(returned.minor === 0n
      ? []
      : [[t('billing.returned'), <Money key="returned" amount={returned} />] as const]),
  ];
}
