// The quota of one subscription, beside its other details.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Id } from '#kernel/ids.ts';
import { useLive } from '#platform/web/live/live.ts';
import { quotasKey, quotasQueries } from './api.ts';
import { QuotaMeter } from './QuotaMeter.tsx';

/** Requests the quotas together with the list whose rows show them. */
export function useQuotasAhead(): void {
  useQuery(quotasQueries.listQuotas());
}

/** `fallback` is shown until the quota is loaded, and for a subscription that currently accepts no usage. */
export function SubscriptionQuota({
  subscriptionId,
  fallback,
}: {
  subscriptionId: Id<'sub'>;
  fallback?: ReactNode;
}) {
  // All rows of a list share this query.
  const { data } = useQuery(quotasQueries.listQuotas());
  useLive('usage', [quotasKey('listQuotas')]);
  const quota = data?.items.find((one) => one.subscriptionId === subscriptionId);
  return quota ? <QuotaMeter quota={quota} /> : <>{fallback}</>;
}
