// The current step of a few: side by side on wide screens, below each other on phones.
import Step from '@mui/material/Step';
import StepLabel from '@mui/material/StepLabel';
import Stepper from '@mui/material/Stepper';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useTranslation } from '../i18n/i18n.ts';
import { VisuallyHidden } from './VisuallyHidden.tsx';

/** `current` counts from 0; a number past the last means that all are done. */
export function Steps({ labels, current }: { labels: readonly string[]; current: number }) {
  const { t } = useTranslation('platform');
  const theme = useTheme();
  const isNarrow = useMediaQuery(theme.breakpoints.down('sm'));
  const shown = Math.min(current, labels.length - 1);
  return (
    <>
      <VisuallyHidden live>
        {t('stepper.step', { step: shown + 1, count: labels.length })} {labels[shown]}
      </VisuallyHidden>
      <Stepper activeStep={current} orientation={isNarrow ? 'vertical' : 'horizontal'}>
        {labels.map((label, index) => (
          <Step key={label} completed={index < current}>
            <StepLabel {...(index === current && { 'aria-current': 'step' as const })}>{label}</StepLabel>
          </Step>
        ))}
      </Stepper>
    </>
  );
}
