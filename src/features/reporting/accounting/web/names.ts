// Display names for journals: ledger accounts, the part to which a mapping applies, and periods.
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { isDay } from '#kernel/shape.ts';
import type { AccountKind } from '#features/invoicing/ledger/rules.ts';
import type { Mapping, Unmapped } from '../contract.ts';

export function useAccountName(): (kind: AccountKind) => string {
  const { t } = useTranslation('books');
  // used as: 'books.account_*'
  return (kind) => t(`books.account_${kind}`);
}

/** "USD · Storage"; without a split, the whole account. */
export function usePartName(): (
  part: Pick<Mapping | Unmapped, 'currency' | 'taxRate' | 'service'>,
) => string {
  const { t } = useTranslation('accounting');
  const format = useFormat();
  return ({ currency, taxRate, service }) => {
    const parts = [
      ...(service === null ? [] : [service.name]),
      ...(taxRate === null ? [] : [`${format.number(taxRate)}%`]),
      ...(currency === null ? [] : [currency]),
    ];
    return parts.length === 0 ? t('accounting.part_whole') : parts.join(' · ');
  };
}

/** A month or a day as text. */
export function usePeriodName(): (period: string) => string {
  const format = useFormat();
  return (period) => (isDay(period) ? format.day(period) : format.month(period));
}
