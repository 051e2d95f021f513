// A preview that belongs to what is asked now: while it is being made anew, the one before stands there and nothing can be done with it.
import { keepPreviousData, useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query';

export type Preview<Data> = {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
  /** It is of what is asked now. */ readonly isCurrent: boolean;
};

/** Asked anew each time a dialog opens: an old preview would promise what is no longer so. */
export function usePreview<Data>(
  options: UseQueryOptions<Data, Error, Data, QueryKey>,
  enabled = true,
): Preview<Data> {
  const query = useQuery({
    ...options,
    enabled,
    placeholderData: keepPreviousData,
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
