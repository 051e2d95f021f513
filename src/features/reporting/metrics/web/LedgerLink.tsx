// A link from a report to the ledger's transactions behind it; each names its bill or payment.
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import type { LocalDay } from '#kernel/shape.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { AccountKind } from '#features/invoicing/ledger/rules.ts';

/** The URL of an account's ledger transactions within some days. */
export const ledgerPath = (account: AccountKind, from: LocalDay, to: LocalDay): string =>
  `/admin/ledger?${new URLSearchParams({ view: 'transactions', accountKind: account, from, to }).toString()}`;

export function LedgerLink({ account, from, to }: { account: AccountKind; from: LocalDay; to: LocalDay }) {
  const { t } = useTranslation('metrics');
  return (
    <Box sx={{ padding: { xs: '0 16px 16px', sm: '0 24px 16px' }, marginTop: -1 }}>
      <Link component={RouterLink} to={ledgerPath(account, from, to)} variant="body2">
        {t('metrics.open_ledger')}
      </Link>
    </Box>
  );
}
