// An Admin's payments: transfers that wait for confirmation first, then all payments, and whether the ledger adds up.
import Box from '@mui/material/Box';
import { useLive } from '#platform/web/live.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { AdminPayments } from './AdminPayments.tsx';
import { paymentsKey } from './api.ts';
import { PendingTopUps } from './PendingTopUps.tsx';
import { usePaymentsTexts } from './texts.ts';
import { TrialBalance } from './TrialBalance.tsx';

export function AdminPaymentsScreen() {
  const t = usePaymentsTexts();
  // A new transfer comes with a notification to every Admin.
  useLive('notifications', [paymentsKey()]);
  return (
    <Page title={t('payments.admin_title')} lead={t('payments.admin_lead')}>
      <Box sx={{ display: 'grid', gap: { xs: 2, sm: 3 }, alignItems: 'start', gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 7fr) minmax(0, 5fr)' } }}>
        <PendingTopUps />
        <TrialBalance />
      </Box>
      <AdminPayments />
    </Page>
  );
}
