// The quota of one subscription beside other facts of it; nothing while it is not known or when there is no limit.
import { useQuery } from '@tanstack/react-query';
import type { Id } from '#kernel/ids.ts';
import { useLive } from '#platform/web/live.ts';
import { quotasKey, quotasQueries } from './api.ts';
import { QuotaMeter } from './QuotaMeter.tsx';

export function SubscriptionQuota({ subscriptionId }: { subscriptionId: Id<'sub'> }) {
  // All rows of a list share this one answer.
  const { data } = useQuery(quotasQueries.listQuotas());
  useLive('usage', [quotasKey('listQuotas')]);
  const quota = data?.items.find((one) => one.subscriptionId === subscriptionId);
  return quota && <QuotaMeter quota={quota} />;
}
