// What an operator does before the first customer comes, until all of it is done.
import { useQuery } from '@tanstack/react-query';
import { Section } from '#platform/web/ui/Section.tsx';
import type { AdminDashboard } from '../../console/contract.ts';
import { useConsoleTexts } from '../console-texts.ts';
import { useSystemStatus } from '../system.ts';
import { dashboardQueries } from './api.ts';
import { StepList, type FirstStep } from './StepList.tsx';

export function AdminFirstSteps({ now }: { now: AdminDashboard | undefined }) {
  const t = useConsoleTexts();
  const { data: demo } = useQuery(dashboardQueries.demoData());
  const { data: status } = useSystemStatus();
  if (!now || !demo || !status) return null;
  const step = (name: 'mail' | 'factor' | 'backup' | 'service' | 'customer', isDone: boolean, to: string): FirstStep =>
    // used as: 'first_steps.*', 'first_steps.*_text', 'first_steps.*_verb'
    ({ isDone, title: t(`first_steps.${name}`), text: t(`first_steps.${name}_text`), verb: t(`first_steps.${name}_verb`), to });
  const steps = [
    step('factor', now.adminsWithoutFactor === 0, '/admin/account'),
    step('mail', status.signIn.passwordReset, '/admin/system-settings#environment'),
    step('backup', now.backup.lastProvenAt !== null, '/admin/backups'),
    step('service', now.services > demo.services, '/admin/service-management?service=new'),
    step('customer', demo.others > 0, '/admin/user-management'),
  ];
  const done = steps.filter((one) => one.isDone).length;
  if (done === steps.length) return null;
  return <Section title={t('first_steps.title')} lead={t('first_steps.lead', { done, all: steps.length })} flush><StepList steps={steps} /></Section>;
}
