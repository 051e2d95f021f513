// The outside ways in below the sign-in and registration forms: only those that the console offers, their code fetched apart.
import Skeleton from '@mui/material/Skeleton';
import { Suspense, type ReactNode } from 'react';
import { loadGoogleButton, loadProviderButton } from '#features/federation/web/index.ts';
import { fetched } from '#platform/web/fetched.ts';
import { useSystemStatus } from './system.ts';

const GoogleButton = fetched(loadGoogleButton).Component;
const ProviderButton = fetched(loadProviderButton).Component;

const arriving = (button: ReactNode): ReactNode => <Suspense fallback={<Skeleton variant="rounded" height={44} />}>{button}</Suspense>;

/** What the sign-in screens place: nothing for a way that is not set up. */
export function useOutsideWays(): { readonly google?: ReactNode; readonly provider?: ReactNode } {
  const { data } = useSystemStatus();
  return { ...(data?.signIn.google && { google: arriving(<GoogleButton />) }), ...(data?.signIn.oidc && { provider: arriving(<ProviderButton />) }) };
}
