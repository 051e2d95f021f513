// What an account is called: its kind, and whose it is.
import type { Account } from '../contract.ts';
import { useBooksTexts } from './texts.ts';

/** `nameOf({ accountKind, organization })` is "Receivables · One". */
export function useAccountName(): (account: Pick<Account, 'accountKind' | 'organization'>) => string {
  const t = useBooksTexts();
  // used as: 'books.account_*'
  return ({ accountKind, organization }) =>
    [t(`books.account_${accountKind}`), ...(organization === null ? [] : [organization])].join(' · ');
}
