// For whoever has subscribed to nothing yet: what to do first, with what is done already ticked.
import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined';
import RadioButtonUncheckedOutlined from '@mui/icons-material/RadioButtonUncheckedOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { Section } from '#platform/web/ui/Section.tsx';
import { VisuallyHidden } from '#platform/web/ui/VisuallyHidden.tsx';
import type { UserDashboard } from '../../console/contract.ts';
import { useConsoleTexts } from '../console-texts.ts';

export function FirstSteps({ dashboard }: { dashboard: UserDashboard }) {
  const t = useConsoleTexts();
  const hasFunds = dashboard.balance.balances.some((one) => one.minor > 0n) || dashboard.balance.pending.length > 0;
  const steps = [
    { isDone: true, title: t('user_dashboard.step_account'), text: t('user_dashboard.step_account_text'), to: '/user/profile', verb: t('user_dashboard.to_profile'), isMain: false },
    { isDone: false, title: t('user_dashboard.step_subscribe'), text: t('user_dashboard.step_subscribe_text'), to: '/service/overview', verb: t('user_dashboard.subscribe_new'), isMain: true },
    { isDone: hasFunds, title: t('user_dashboard.step_top_up'), text: t('user_dashboard.step_top_up_text'), to: '/billing/management', verb: t('user_dashboard.to_balance'), isMain: false },
  ];
  return (
    <Section title={t('user_dashboard.first_steps')} lead={t('user_dashboard.first_steps_lead')} flush>
      <Box component="ol" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {steps.map((step) => (
          <Box component="li" key={step.title} sx={{ display: 'grid', gridTemplateColumns: { xs: '24px minmax(0, 1fr)', sm: '24px minmax(0, 1fr) auto' }, gap: '4px 16px', alignItems: 'center', padding: { xs: '16px', sm: '16px 24px' }, borderTop: '1px solid', borderColor: 'divider' }}>
            <Box sx={{ color: step.isDone ? 'success.main' : 'text.secondary', display: 'grid' }}>{step.isDone ? <CheckCircleOutlined aria-hidden /> : <RadioButtonUncheckedOutlined aria-hidden />}</Box>
            <Box sx={{ minWidth: 0 }}>
              <Typography variant="subtitle1" component="p">{step.title}{step.isDone && <VisuallyHidden>{t('user_dashboard.step_done')}</VisuallyHidden>}</Typography>
              <Typography variant="body2" color="textSecondary">{step.text}</Typography>
            </Box>
            <Box sx={{ gridColumn: { xs: 2, sm: 'auto' } }}>{!step.isDone && <Button variant={step.isMain ? 'contained' : 'outlined'} component={Link} to={step.to}>{step.verb}</Button>}</Box>
          </Box>
        ))}
      </Box>
    </Section>
  );
}
