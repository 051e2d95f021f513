// A preview for the current input. While a new one is loading, the old one stays visible but cannot be
// confirmed.
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { type QueryKey, type UseQueryOptions } from '@tanstack/react-query';

export type Preview<Data> = {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
  /** Whether the preview belongs to the current input. */
  readonly isCurrent: boolean;
};

/** Reloaded each time a dialog opens, because an old preview may be outdated. */
export function usePreview<Data>(
  options: UseQueryOptions<Data, Error, Data, QueryKey>,
  enabled = true,
): Preview<Data> {
  const query = usePagedQuery({
    ...options,
    enabled,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  return {
    data: enabled ? query.data : undefined,
    error: enabled ? query.error : null,
    refetch: query.refetch,
    isCurrent: enabled && query.isSuccess && !query.isPlaceholderData && !query.isFetching,
  };
}
