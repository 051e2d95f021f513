// First steps in order; finished ones are ticked.
import CheckCircleOutlined from '~icons/ic/outline-check-circle';
import RadioButtonUncheckedOutlined from '~icons/ic/outline-radio-button-unchecked';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { VisuallyHidden } from '#platform/web/ui/VisuallyHidden.tsx';

export type FirstStep = {
  readonly isDone: boolean;
  readonly title: string;
  readonly text: string;
  readonly verb: string;
} & ({ readonly to: string } | { readonly onClick: () => void; readonly isBusy: boolean });

/** The first unfinished step has the primary button. */
export function StepList({ steps }: { steps: readonly FirstStep[] }) {
  const { t } = useTranslation('console');
  const next = steps.find((step) => !step.isDone);
  return (
    <Box component="ol" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {steps.map((step) => (
        <Box
          component="li"
          key={step.title}
          sx={{
            display: 'grid',
            gridTemplateColumns: { xs: '24px minmax(0, 1fr)', sm: '24px minmax(0, 1fr) auto' },
            gap: '4px 16px',
            alignItems: 'center',
            padding: { xs: '16px', sm: '16px 24px' },
            borderTop: '1px solid',
            borderColor: 'divider',
          }}
        >
          <Box sx={{ color: step.isDone ? 'success.main' : 'text.secondary', display: 'grid' }}>
            {step.isDone ? <CheckCircleOutlined aria-hidden /> : <RadioButtonUncheckedOutlined aria-hidden />}
          </Box>
          <Box sx={{ minWidth: 0 }}>
            <Typography variant="subtitle1" component="p">
              {step.title}
              {step.isDone && <VisuallyHidden>{t('user_dashboard.step_done')}</VisuallyHidden>}
            </Typography>
            <Typography variant="body2" color="textSecondary">
              {step.text}
            </Typography>
          </Box>
          <Box sx={{ gridColumn: { xs: 2, sm: 'auto' } }}>
            {!step.isDone && <StepButton step={step} variant={step === next ? 'contained' : 'outlined'} />}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

function StepButton({ step, variant }: { step: FirstStep; variant: 'contained' | 'outlined' }) {
  return 'to' in step ? (
    <Button variant={variant} component={Link} to={step.to}>
      {step.verb}
    </Button>
  ) : (
    <Button variant={variant} loading={step.isBusy} onClick={step.onClick}>
      {step.verb}
    </Button>
  );
}
