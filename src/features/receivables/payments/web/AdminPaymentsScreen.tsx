// The Admin's payments: those that await a decision first, then all payments and credit limits, then
// customers' automatic payments, and settings.
import type { ReactNode } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { SectionGroup } from '#platform/web/ui/Section.tsx';
import { AdminPayments } from './AdminPayments.tsx';
import { AutomaticList } from './AutomaticList.tsx';
import { paymentsKey } from './api.ts';
import { BankAccountSection } from './BankAccountForm.tsx';
import { PendingTopUps } from './PendingTopUps.tsx';
import { RefusedNotices } from './RefusedNotices.tsx';

/** Each part is provided by another feature. */
export type AdminPaymentsParts = {
  /** How far balances may go below zero. */
  readonly limits?: ReactNode;
  /** Saved cards, automatic top-ups. */
  readonly automatic?: ReactNode;
  /** When cards are charged. */
  readonly settings?: ReactNode;
};

export function AdminPaymentsScreen({ limits, automatic, settings }: AdminPaymentsParts) {
  const { t } = useTranslation('payments');
  // Every new transfer notifies the Admins, so notifications are a signal to reload payments.
  useLive('notifications', [paymentsKey()]);
  useLive('billing', [paymentsKey()]);
  return (
    <Page title={t('payments.admin_title')} lead={t('payments.admin_lead')}>
      <PendingTopUps />
      <RefusedNotices />
      <AdminPayments />
      {limits}
      <SectionGroup title={t('payments.automatic_group')}>
        <AutomaticList />
        {automatic}
      </SectionGroup>
      <SectionGroup title={t('payments.settings_group')}>
        <BankAccountSection />
        {settings}
      </SectionGroup>
    </Page>
  );
}
