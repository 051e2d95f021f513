// A page about recurring runs: their state, polled frequently during a run, a button that starts one, and the
// list of all runs.
import Button from '@mui/material/Button';
import { useQuery, useQueryClient, type QueryKey, type UseQueryOptions } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { Page } from './Page.tsx';
import { Lines, QueryState } from './QueryState.tsx';

/** The polling interval during a run, and otherwise, because the schedule starts runs too. */
const [progressMs, restMs] = [1000, 30_000];

export function RunsPage<Overview extends { readonly running: { readonly id: string } | null }>({
  title,
  lead,
  overview,
  listKey,
  begin,
  children,
}: {
  readonly title: string;
  readonly lead: string;
  readonly overview: UseQueryOptions<Overview, Error, Overview, QueryKey>;
  /** The query to refetch when a run starts or ends. */
  readonly listKey: QueryKey;
  /** The button that starts a run. */
  readonly begin: { readonly label: string; readonly isPending: boolean; readonly onClick: () => void };
  readonly children: (overview: Overview) => ReactNode;
}) {
  const cache = useQueryClient();
  const query = useQuery({
    ...overview,
    refetchInterval: ({ state }) => (state.data?.running ? progressMs : restMs),
  });
  const runningId = query.data?.running?.id;
  // Keys are plain data, and new on each render.
  const list = JSON.stringify(listKey);
  useEffect(
    () => void cache.invalidateQueries({ queryKey: JSON.parse(list) as QueryKey }),
    [cache, list, runningId],
  );
  return (
    <Page
      title={title}
      lead={lead}
      actions={
        <Button
          variant="contained"
          loading={begin.isPending}
          disabled={runningId !== undefined}
          onClick={begin.onClick}
        >
          {begin.label}
        </Button>
      }
    >
      <QueryState query={query} skeleton={<Lines count={8} />}>
        {children}
      </QueryState>
    </Page>
  );
}
