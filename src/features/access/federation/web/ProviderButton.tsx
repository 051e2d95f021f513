// Redirects to the identity provider, and shows an error when that fails.
import KeyOutlined from '~icons/ic/outline-key';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { LastUsed } from '#features/access/signin/web/parts.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { problemOf, type Problem } from './problem.ts';
import { ProblemNotice } from './ProblemNotice.tsx';

export function ProviderButton() {
  const { t } = useTranslation('federation');
  const [params] = useSearchParams();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const leave = async () => {
    setIsBusy(true);
    setProblem(undefined);
    try {
      const { startProviderSignIn } = await import('./provider.ts');
      await startProviderSignIn({ returnTo: params.get('returnTo') });
    } catch (error) {
      setProblem(problemOf(error));
    }
    // Also after returning with the Back button.
    setIsBusy(false);
  };
  return (
    <Box>
      {problem && <ProblemNotice problem={problem} />}
      <LastUsed method="provider">
        <Button
          variant="outlined"
          size="large"
          fullWidth
          startIcon={<KeyOutlined />}
          loading={isBusy}
          onClick={() => void leave()}
        >
          {t('federation.provider')}
        </Button>
      </LastUsed>
    </Box>
  );
}
