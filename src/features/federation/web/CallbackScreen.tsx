// Where an identity provider sends people back to (R-SHELL-01). The answer's code and state leave the address at once.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { signinPaths } from '#features/signin/contract.ts';
import { federationPaths } from '#features/federation/contract.ts';
import { FormCard } from '#platform/web/ui/FormCard.tsx';
import { useFederationTexts } from './texts.ts';

const longestDetail = 200;

/** What the provider said went wrong; without an error of its own, that this browser started no such sign-in. */
function problemOf(params: URLSearchParams): string {
  const told = [params.get('error'), params.get('error_description')].filter((part) => part !== null).join(': ');
  return told === '' ? 'No matching state found in storage' : told.slice(0, longestDetail);
}

export function CallbackScreen() {
  const t = useFederationTexts();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const [problem] = useState(() => problemOf(params));
  const hasAnswer = params.size > 0;
  useEffect(() => {
    if (hasAnswer) void navigate(federationPaths.callback, { replace: true });
  }, [hasAnswer, navigate]);
  return (
    <FormCard title={t('federation.callback_title')} lead={t('federation.callback_lead')}>
      <Alert severity="error">{t('federation.callback_failed')}</Alert>
      <Box component="details" sx={{ marginBlock: 2 }}>
        <Typography component="summary" variant="body2" sx={{ cursor: 'pointer' }}>{t('federation.callback_details')}</Typography>
        <Typography variant="body2" sx={{ marginTop: 1, fontFamily: 'monospace', overflowWrap: 'anywhere' }}>{problem}</Typography>
      </Box>
      <Button component={Link} to={signinPaths.login} variant="contained" fullWidth>{t('federation.callback_again')}</Button>
    </FormCard>
  );
}
