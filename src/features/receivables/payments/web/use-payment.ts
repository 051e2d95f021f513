// The current state of a payment: updated live, and polled until its provider has responded.
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Id } from '#kernel/ids.ts';
import { billingKey } from '#features/invoicing/billing/web/parts.ts';
import { useLive } from '#platform/web/live/live.ts';
import type { Payment } from '../contract.ts';
import { paymentsKey, paymentsQueries } from './api.ts';

/** The polling interval while waiting for the provider, in ms. */
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
