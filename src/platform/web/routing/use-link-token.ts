// Removes the secret of an e-mailed link from the URL at once, so that no history, bookmark or screenshot
// contains it.
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** The secret after `#token=`; undefined when the page was opened without one. */
export function useLinkToken(): string | undefined {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState<string>();
  const given = new URLSearchParams(hash.slice(1)).get('token') ?? undefined;
  if (given !== undefined && given !== token) setToken(given);
  useEffect(() => {
    if (given !== undefined) void navigate(pathname, { replace: true });
  }, [given, navigate, pathname]);
  return given ?? token;
}
