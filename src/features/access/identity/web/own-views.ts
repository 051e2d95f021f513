// A user's saved views of a list, and which of them the list currently shows.
import { useQuery } from '@tanstack/react-query';
import type { SavedView } from '../contract.ts';
import { viewOf, type TableViews } from '#platform/web/ui/table-state.ts';
import { identityQueries } from './api.ts';

/** The user's saved views by name. The order of query parameters does not matter when views are compared. */
export function useOwnViews(
  list: string,
  { names }: TableViews,
): {
  readonly own: readonly SavedView[];
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly refetch: () => unknown;
} {
  const { data, isLoading, error, refetch } = useQuery(identityQueries.savedViews({ screen: list }));
  return {
    own: (data?.items ?? []).map((view) => ({
      ...view,
      query: viewOf(new URLSearchParams(view.query), names),
    })),
    isLoading,
    error,
    refetch,
  };
}
