// Sign-in with account and password, a passkey, or other providers (R-SHELL-02, R-AUTH-02).
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode } from 'react';
import { Navigate, Link as RouterLink, useSearchParams } from 'react-router';
import { signinPaths } from '../contract.ts';
import { brandTitle } from '#kernel/brand-title.ts';
import { useAuthStore, type SessionUser } from '#platform/web/session/auth-store.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { FormCard } from '#platform/web/ui/FormCard.tsx';
import { LoginForm } from './LoginForm.tsx';
import { OtherWays } from './OtherWays.tsx';
import { PasskeyButton } from './PasskeyButton.tsx';
import { canUsePasskeys } from './passkey-support.ts';

export type LoginScreenProps = {
  /** The landing page of a role after sign-in, given the path it came from. */
  readonly destinationOf: (user: SessionUser, returnTo: string | null) => string;
  /** Whether the server can mail reset links. */
  readonly canReset: boolean;
  /** Buttons of other sign-in methods. */
  readonly google?: ReactNode;
  readonly provider?: ReactNode;
  readonly company?: ReactNode;
};

export function LoginScreen({ destinationOf, canReset, google, provider, company }: LoginScreenProps) {
  const { t } = useTranslation('signin');
  const system = useBrand(brandTitle);
  const mainAddress = useBrand((brand) => brand.mainAddress);
  const [params] = useSearchParams();
  const [isSecondStep, setIsSecondStep] = useState(false);
  const user = useAuthStore((auth) => (auth.isAuthenticated ? auth.user : null));
  if (user) return <Navigate to={destinationOf(user, params.get('returnTo'))} replace />;
  return (
    <FormCard
      title={t('signin.login_title')}
      lead={t('signin.login_lead', { system })}
      footer={
        // A person who registers becomes the operator's customer; a reseller adds its own customers.
        mainAddress === null && (
          <>
            {t('signin.no_account')}{' '}
            <Link component={RouterLink} to={signinPaths.register}>
              {t('signin.to_register')}
            </Link>
          </>
        )
      }
    >
      <LoginForm canReset={canReset} onStep={setIsSecondStep} />
      {!isSecondStep && (
        <OtherWays
          google={google}
          provider={provider}
          company={company}
          passkey={mainAddress === null && canUsePasskeys() && <PasskeyButton />}
          elsewhere={
            mainAddress !== null && (
              <Typography variant="body2">
                {t('signin.ways_at_main')} <Link href={`${mainAddress}/login`}>{mainAddress}</Link>
              </Typography>
            )
          }
        />
      )}
    </FormCard>
  );
}
