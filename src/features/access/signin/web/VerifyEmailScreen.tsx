// Confirms the e-mail of a registration. Requires a click, because mail scanners open links too.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import { Link as RouterLink } from 'react-router';
import { signinPaths } from '../contract.ts';
import { FormError } from '#platform/web/form/FormError.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FormCard } from '#platform/web/ui/FormCard.tsx';
import { signinApi } from './api.ts';
import { useLinkToken } from '#platform/web/routing/use-link-token.ts';

export function VerifyEmailScreen() {
  const { t } = useTranslation('signin');
  const token = useLinkToken();
  const verify = useCall(signinApi.verifyEmail);
  const toLogin = (
    <Link component={RouterLink} to={signinPaths.login}>
      {t('signin.to_login')}
    </Link>
  );
  if (verify.isSuccess) {
    return (
      <FormCard title={t('signin.verified_title')}>
        <Stack sx={{ gap: 2 }}>
          <Alert severity="success" role="status">
            {t('signin.verified')}
          </Alert>
          <Button component={RouterLink} to={signinPaths.login} variant="contained" size="large" fullWidth>
            {t('signin.to_login')}
          </Button>
        </Stack>
      </FormCard>
    );
  }
  return (
    <FormCard title={t('signin.verify_title')} lead={t('signin.verify_lead')} footer={toLogin}>
      <FormError
        sentence={verify.error?.message ?? (token === undefined ? t('signin.link_invalid') : undefined)}
      />
      {token !== undefined && (
        <Button
          variant="contained"
          size="large"
          fullWidth
          loading={verify.isPending}
          onClick={() => verify.mutate({ token })}
        >
          {t('signin.verify')}
        </Button>
      )}
    </FormCard>
  );
}
