// A target's name: its kind and its reference or number.
import type { BankTarget } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

export function useTargetName(): (target: Pick<BankTarget, 'kind' | 'name' | 'billNumber'>) => string {
  const { t } = useTranslation('banking');
  // used as: 'banking.kind_*'
  return ({ kind, name, billNumber }) =>
    [
      t(`banking.kind_${kind}`, { name }),
      ...(kind === 'transfer' && billNumber !== null ? [t('banking.kind_bill', { name: billNumber })] : []),
    ].join(' · ');
}
