// The own organization's credit limits; nothing for users whose custom role does not include payments.
import { useQuery } from '@tanstack/react-query';
import { useAllows } from '#platform/web/session/use-allows.ts';
import { creditLimitsQueries } from './api.ts';

/** On an error nothing is shown; the server still rejects new services above the limit. */
export function useOwnLimit() {
  const allows = useAllows();
  return useQuery({ ...creditLimitsQueries.creditLimit(), enabled: allows('payments:read') });
}
