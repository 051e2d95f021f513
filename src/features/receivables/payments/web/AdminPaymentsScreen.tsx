// An Admin's payments: transfers that wait for confirmation first, then all payments.
import type { ReactNode } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { AdminPayments } from './AdminPayments.tsx';
import { AutomaticList } from './AutomaticList.tsx';
import { paymentsKey } from './api.ts';
import { BankAccountSection } from './BankAccountForm.tsx';
import { PendingTopUps } from './PendingTopUps.tsx';
import { RefusedNotices } from './RefusedNotices.tsx';

export function AdminPaymentsScreen({
  cards,
}: {
  /** Saved cards, provided by another feature. */
  readonly cards?: ReactNode;
}) {
  const { t } = useTranslation('payments');
  // Every new transfer notifies the Admins, so notifications are a signal to load payments again.
  useLive('notifications', [paymentsKey()]);
  useLive('billing', [paymentsKey()]);
  return (
    <Page title={t('payments.admin_title')} lead={t('payments.admin_lead')}>
      <PendingTopUps />
      <AdminPayments />
      <RefusedNotices />
      <AutomaticList />
      {cards}
      <BankAccountSection />
    </Page>
  );
}
