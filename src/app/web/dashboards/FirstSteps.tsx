// The first steps of a customer without subscriptions.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Section } from '#platform/web/ui/Section.tsx';
import type { UserDashboard } from '../../console/contract.ts';
import type { Seller } from '#features/invoicing/resellers/web/parts.ts';
import { StepList, type FirstStep } from './StepList.tsx';

export function FirstSteps({ dashboard, seller }: { dashboard: UserDashboard; seller: Seller }) {
  const { t } = useTranslation('console');
  const hasFunds =
    dashboard.balance.balances.some((one) => one.minor > 0n) || dashboard.balance.pending.length > 0;
  const steps: readonly FirstStep[] = [
    {
      isDone: true,
      title: t('user_dashboard.step_account'),
      text: t('user_dashboard.step_account_text'),
      to: '/user/profile',
      verb: t('user_dashboard.to_profile'),
    },
    {
      isDone: false,
      title: t('user_dashboard.step_subscribe'),
      text: t('user_dashboard.step_subscribe_text'),
      to: '/service/overview',
      verb: t('user_dashboard.subscribe_new'),
    },
    // A customer billed by a reseller has no balance with the operator.
    ...(!seller
      ? [
          {
            isDone: hasFunds,
            title: t('user_dashboard.step_top_up'),
            text: t('user_dashboard.step_top_up_text'),
            to: '/billing/management',
            verb: t('user_dashboard.to_balance'),
          },
        ]
      : []),
  ];
  return (
    <Section title={t('user_dashboard.first_steps')} lead={t('user_dashboard.first_steps_lead')} flush>
      <StepList steps={steps} />
    </Section>
  );
}
