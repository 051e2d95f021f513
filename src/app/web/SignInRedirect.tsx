// Redirects a user whose session has ended: to the identity provider if one is configured and responds,
// otherwise to /login (R-AUTH-13). A user who last signed in here in another way goes to /login, which has
// the provider's button too.
import { useEffect, useState } from 'react';
import { Navigate } from 'react-router';
import { useSystemStatus } from '#features/operations/administration/web/index.ts';
import { goToProvider } from '#features/access/federation/web/parts.ts';
import { lastMethod } from '#features/access/signin/web/index.ts';
import { Spinner } from '#platform/web/ui/Spinner.tsx';

export function SignInRedirect({ returnTo }: { readonly returnTo: string }) {
  const status = useSystemStatus();
  const last = lastMethod();
  const hasProvider = (status.data?.signIn.oidc ?? false) && (last === undefined || last === 'provider');
  const [isRefused, setIsRefused] = useState(false);
  useEffect(() => {
    if (!hasProvider) return undefined;
    const left = new AbortController();
    void goToProvider(returnTo).then((isLeaving) =>
      isLeaving || left.signal.aborted ? undefined : setIsRefused(true),
    );
    return () => left.abort();
  }, [hasProvider, returnTo]);
  if (status.isPending || (hasProvider && !isRefused)) return <Spinner page />;
  return <Navigate to={`/login?returnTo=${encodeURIComponent(returnTo)}`} replace />;
}
