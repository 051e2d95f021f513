// A payment as it stands: heard live, and asked for again while its provider has not spoken.
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Id } from '#kernel/ids.ts';
import { billingKey } from '#features/invoicing/billing/web/parts.ts';
import { useLive } from '#platform/web/live/live.ts';
import type { Payment } from '../contract.ts';
import { paymentsKey, paymentsQueries } from './api.ts';

/** How often a page asks again whether the provider has spoken, in ms. */
export const lookAgainMs = 3000;

export function usePayment(paymentId: Id<'pay'>): UseQueryResult<Payment> {
  useLive('bills', [paymentsKey(), billingKey()]);
  return useQuery({
    ...paymentsQueries.getPayment({ paymentId }),
    staleTime: 0,
    // In case there is no live connection.
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? lookAgainMs : false),
  });
}
