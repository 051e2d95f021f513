// A user's saved views of a list, and which of them the list currently shows.
import { useQuery } from '@tanstack/react-query';
import type { SavedView } from '../contract.ts';
import { viewOf, type TableViews } from '#platform/web/ui/table-state.ts';
import { identityQueries } from './api.ts';

/** The user's own views by name. One that was saved in another order of its parts counts as the same. */
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
