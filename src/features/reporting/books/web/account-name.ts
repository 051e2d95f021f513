// An account's display name: its kind and its owner.
import type { Account } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

/** `nameOf({ accountKind, organization })` is "Receivables · One". */
export function useAccountName(): (account: Pick<Account, 'accountKind' | 'organization'>) => string {
  const { t } = useTranslation('books');
  // used as: 'books.account_*'
  return ({ accountKind, organization }) =>
    [t(`books.account_${accountKind}`), ...(organization === null ? [] : [organization])].join(' · ');
}
