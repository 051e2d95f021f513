// Queries whose input changes while people look at the answer: a page of a list, a period, a typed figure.
import {
  keepPreviousData,
  useQuery,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';

/** Keeps the previous answer, as `isPlaceholderData`, until that to the changed input is there. */
export const usePagedQuery = <Data>(
  options: UseQueryOptions<Data, Error, Data, QueryKey>,
): UseQueryResult<Data, Error> => useQuery({ ...options, placeholderData: keepPreviousData });
