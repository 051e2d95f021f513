// Where an identity provider sends people back to (R-SHELL-01). The answer's code and state leave the address at once.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { identityPaths } from '#features/identity/contract.ts';
import { FormCard } from '#platform/web/ui/FormCard.tsx';
import { useIdentityTexts } from './texts.ts';

const longestDetail = 200;

/** What the provider said went wrong; without an error of its own, that this browser started no such sign-in. */
function problemOf(params: URLSearchParams): string {
  const told = [params.get('error'), params.get('error_description')].filter((part) => part !== null).join(': ');
  return told === '' ? 'No matching state found in storage' : told.slice(0, longestDetail);
}

export function CallbackScreen() {
  const t = useIdentityTexts();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const [problem] = useState(() => problemOf(params));
  const hasAnswer = params.size > 0;
  useEffect(() => {
    if (hasAnswer) void navigate(identityPaths.callback, { replace: true });
  }, [hasAnswer, navigate]);
  return (
    <FormCard title={t('identity.callback_title')} lead={t('identity.callback_lead')}>
      <Alert severity="error">{t('identity.callback_failed')}</Alert>
      <Box component="details" sx={{ marginBlock: 2 }}>
        <Typography component="summary" variant="body2" sx={{ cursor: 'pointer' }}>{t('identity.callback_details')}</Typography>
        <Typography variant="body2" sx={{ marginTop: 1, fontFamily: 'monospace', overflowWrap: 'anywhere' }}>{problem}</Typography>
      </Box>
      <Button component={Link} to={identityPaths.login} variant="contained" fullWidth>{t('identity.callback_again')}</Button>
    </FormCard>
  );
}
