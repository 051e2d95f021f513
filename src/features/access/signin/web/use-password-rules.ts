// The minimum length of a new password, from the server.
import { useQuery } from '@tanstack/react-query';
import { minPasswordLength, minimumPasswordLength } from '#features/access/identity/rules.ts';
import { signinQueries } from './api.ts';

/** The minimum length; the default until the server has responded. */
export function useShortestPassword(hasTwoFactor = false): number {
  const { data } = useQuery({ ...signinQueries.passwordRules(), staleTime: 10 * 60_000 });
  return hasTwoFactor
    ? (data?.minimumWithTwoFactor ?? minPasswordLength)
    : (data?.minimum ?? minimumPasswordLength);
}
