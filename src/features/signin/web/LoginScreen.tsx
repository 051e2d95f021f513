// Sign-in with account and password, and the one-time code when the account asks for it (R-SHELL-02, R-AUTH-02).
import Divider from '@mui/material/Divider';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import { Navigate, Link as RouterLink, useSearchParams } from 'react-router';
import { signinPaths } from '#features/signin/contract.ts';
import { useAuthStore } from '#platform/web/auth-store.ts';
import { brandTitle, useBrand } from '#platform/web/brand.ts';
import { FormCard } from '#platform/web/ui/FormCard.tsx';
import { LoginForm } from './LoginForm.tsx';
import { useSigninTexts } from './texts.ts';

export type LoginScreenProps = {
  /** Where a role goes after signing in, given the path it came from. */
  readonly destinationOf: (role: string, returnTo: string | null) => string;
  /** Other ways in, below the form: Google, an identity provider. */
  readonly google?: ReactNode;
  readonly provider?: ReactNode;
};

export function LoginScreen({ destinationOf, google, provider }: LoginScreenProps) {
  const t = useSigninTexts();
  const system = useBrand(brandTitle);
  const [params] = useSearchParams();
  const user = useAuthStore((auth) => (auth.isAuthenticated ? auth.user : null));
  if (user) return <Navigate to={destinationOf(user.role, params.get('returnTo'))} replace />;
  return (
    <FormCard
      title={t('signin.login_title')}
      lead={t('signin.login_lead', { system })}
      footer={<>{t('signin.no_account')} <Link component={RouterLink} to={signinPaths.register}>{t('signin.to_register')}</Link></>}
    >
      <LoginForm />
      {(google || provider) && <Stack sx={{ gap: 1.5, marginTop: 2 }}><Divider>{t('signin.or')}</Divider>{google}{provider}</Stack>}
    </FormCard>
  );
}
