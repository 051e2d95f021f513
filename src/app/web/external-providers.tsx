// Sign-in through external providers, below the sign-in and registration forms: only the configured ones,
// loaded separately.
import Box from '@mui/material/Box';
import { Suspense, type ReactNode } from 'react';
import { useSystemStatus } from '#features/operations/administration/web/index.ts';
import {
  loadCompanyButton,
  loadGoogleButton,
  loadProviderButton,
} from '#features/access/federation/web/index.ts';
import { lazyComponent } from '#platform/web/loading/lazy-component.ts';

const GoogleButton = lazyComponent(loadGoogleButton).Component;
const CompanyButton = lazyComponent(loadCompanyButton).Component;
const ProviderButton = lazyComponent(loadProviderButton).Component;

const arriving = (button: ReactNode): ReactNode => (
  <Suspense fallback={<Box sx={{ height: 44, borderRadius: '5px', bgcolor: 'action.hover' }} />}>
    {button}
  </Suspense>
);

/** The buttons for the sign-in screens; undefined for a provider that is not configured. */
export function useExternalProviders(): {
  readonly google?: ReactNode;
  readonly provider?: ReactNode;
  readonly company?: ReactNode;
} {
  const { data } = useSystemStatus();
  return {
    ...(data?.signIn.google && { google: arriving(<GoogleButton />) }),
    ...(data?.signIn.company && { company: arriving(<CompanyButton />) }),
    ...(data?.signIn.oidc && { provider: arriving(<ProviderButton />) }),
  };
}
