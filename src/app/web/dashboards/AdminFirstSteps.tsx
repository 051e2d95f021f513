// The operator's steps before the first customer registers, shown until all are done.
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Section } from '#platform/web/ui/Section.tsx';
import type { AdminDashboard, DemoData } from '../../console/contract.ts';
import { StepList, type FirstStep } from './StepList.tsx';

export function AdminFirstSteps({
  dashboard,
  demo,
  hasMail,
  isAboveAttention,
}: {
  dashboard: AdminDashboard;
  demo: DemoData;
  hasMail: boolean;
  /** Otherwise what needs attention says first who has no two-step verification, and that no backup is made. */
  isAboveAttention: boolean;
}) {
  const { t } = useTranslation('console');
  const step = (
    name: 'mail' | 'factor' | 'backup' | 'service' | 'customer',
    isDone: boolean,
    to: string,
  ): FirstStep =>
    // used as: 'first_steps.*', 'first_steps.*_text', 'first_steps.*_verb'
    ({
      isDone,
      title: t(`first_steps.${name}`),
      text: t(`first_steps.${name}_text`),
      verb: t(`first_steps.${name}_verb`),
      to,
    });
  const steps = [
    ...(isAboveAttention ? [step('factor', dashboard.adminsWithoutFactor === 0, '/admin/account')] : []),
    step('mail', hasMail, '/admin/system-settings?section=environment'),
    ...(isAboveAttention ? [step('backup', dashboard.backup.lastProvenAt !== null, '/admin/backups')] : []),
    step('service', dashboard.services > demo.services, '/admin/service-management?service=new'),
    step('customer', demo.others > 0, '/admin/user-management'),
  ];
  const done = steps.filter((one) => one.isDone).length;
  if (done === steps.length) return null;
  return (
    <Section
      title={t('first_steps.title')}
      lead={t('first_steps.lead', { done, all: steps.length })}
      flush
      actions={
        demo.organizations === 0 &&
        demo.others === 0 && (
          <Button variant="outlined" component={Link} to="/admin/imports">
            {t('first_steps.demo')}
          </Button>
        )
      }
    >
      <StepList steps={steps.filter((one) => !one.isDone)} />
    </Section>
  );
}
