// The own organization's credit limits; nothing for somebody whose custom role does not include payments.
import { useQuery } from '@tanstack/react-query';
import { useAllows } from '#platform/web/session/use-allows.ts';
import { creditLimitsQueries } from './api.ts';

/** On an error there is nothing: who asks for something new is told then. */
export function useOwnLimit() {
  const allows = useAllows();
  return useQuery({ ...creditLimitsQueries.creditLimit(), enabled: allows('payments:read') });
}
