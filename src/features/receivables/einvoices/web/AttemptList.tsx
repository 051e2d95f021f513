// Every attempt to send an e-invoice and its allowances, newest first.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { EinvoiceAttempt, EinvoiceDetail } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import { useErrorWords } from './error-words.ts';

export function AttemptList({ one }: { one: EinvoiceDetail }) {
  const { t } = useTranslation('einvoices');
  return (
    <PanelPart title={t('einvoices.attempts')}>
      {one.attempts.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          {t('einvoices.attempts_none')}
        </Typography>
      ) : (
        <Box component="ol" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {one.attempts.map((attempt, index) => (
            <Attempt key={`${attempt.at.getTime()}-${index}`} attempt={attempt} />
          ))}
        </Box>
      )}
    </PanelPart>
  );
}

function Attempt({ attempt }: { attempt: EinvoiceAttempt }) {
  const { t } = useTranslation('einvoices');
  const words = useErrorWords();
  // used as: 'einvoices.attempt_*', 'einvoices.outcome_*'
  return (
    <Box component="li" sx={{ paddingBlock: 0.75, fontSize: '0.875rem' }}>
      {t(`einvoices.attempt_${attempt.action}`)} · {t(`einvoices.outcome_${attempt.outcome}`)}
      {attempt.allowanceNumber !== null && ` · ${attempt.allowanceNumber}`}
      <Typography variant="caption" component="p" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        <Moment at={attempt.at} as="dateTime" />
        {attempt.code !== '' && ` · ${words(attempt.code, attempt.words)}`}
      </Typography>
    </Box>
  );
}
