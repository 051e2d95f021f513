// A query's three states: a skeleton while loading, the error with a retry button, or the content.
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import { ErrorState } from './ErrorState.tsx';
import { useDeferredRender } from './use-deferred-render.ts';

export type QueryStateProps<Data> = {
  readonly query: {
    readonly data: Data | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  /** Shown while loading, with the size of the content. */
  readonly skeleton?: ReactNode;
  readonly errorTitle?: string;
  readonly children: (data: Data) => ReactNode;
};

export function QueryState<Data>({ query, skeleton, errorTitle, children }: QueryStateProps<Data>) {
  const data = useDeferredRender(query.data);
  if (data !== undefined) return <>{children(data)}</>;
  if (query.error)
    return <ErrorState error={query.error} title={errorTitle} onRetry={() => void query.refetch()} />;
  return <>{skeleton ?? <Lines />}</>;
}

/** A skeleton for lines of text; `padded` in a section without padding. */
export function Lines({ count = 4, padded = false }: { count?: number; padded?: boolean }) {
  return (
    <Stack sx={{ gap: 1, padding: padded ? 3 : 0 }}>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} width={`${90 - ((index * 23) % 40)}%`} height={22} />
      ))}
    </Stack>
  );
}

/** A skeleton of the given height (a chart, a picture). */
export function Block({ height }: { height: number }) {
  return <Skeleton variant="rounded" height={height} />;
}
