// A sentence about what went wrong, with expandable technical details.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Problem } from './problem.ts';

export function ProblemNotice({ problem }: { problem: Problem }) {
  const { t } = useTranslation('federation');
  return (
    <>
      <Alert severity="error" role="alert">
        {'key' in problem ? t(problem.key) : problem.sentence}
      </Alert>
      <Box component="details" sx={{ marginBlock: 2 }}>
        <Typography component="summary" variant="body2" sx={{ cursor: 'pointer' }}>
          {t('federation.callback_details')}
        </Typography>
        <Typography variant="body2" sx={{ marginTop: 1, fontFamily: 'monospace', overflowWrap: 'anywhere' }}>
          {problem.detail}
        </Typography>
      </Box>
    </>
  );
}
