// Which rows of a list are selected: individual ones, across pages, or all that match its filter.
import { useState } from 'react';
import { toast } from '../toasts/toasts.ts';
import type { ListQuery, Selection } from './list-parts.ts';

/** Individually selected rows, or all that match the list's filter. */
export type RowSelection<Row, Filter> =
  | { readonly rows: readonly Row[] }
  | { readonly filter: Filter; readonly total: number };

/** How many rows are selected. */
export const countOf = (chosen: RowSelection<unknown, unknown>): number =>
  'rows' in chosen ? chosen.rows.length : chosen.total;

export type ChoiceOf<Row, Filter> = {
  /** The list's current filter, without sort and page. */
  readonly filter: Filter;
  readonly query: ListQuery<Row>;
  /** The most rows that one call can name. */
  readonly maxNamed: number;
  /** Whether a row can be selected (a user's own account cannot). */
  readonly canSelect?: (row: Row) => boolean;
  /** Counts the rows that match a filter exactly; the list's own total may be capped. */
  readonly count: (filter: Filter) => Promise<{ readonly total: number }>;
};
export type Chosen<Row, Filter> = {
  readonly chosen: RowSelection<Row, Filter>;
  readonly selection: Omit<Selection, 'actions'>;
  readonly clear: () => void;
};

export function useChosenRows<Row extends { readonly id: string }, Filter extends object>({
  filter,
  query,
  maxNamed,
  canSelect = () => true,
  count,
}: ChoiceOf<Row, Filter>): Chosen<Row, Filter> {
  const name = JSON.stringify(filter);
  const [chosenRows, setChosenRows] = useState<ReadonlyMap<string, Row>>(new Map());
  const [all, setAll] = useState<{ readonly of: string; readonly total: number }>();
  const [isCounting, setIsCounting] = useState(false);
  const rows = query.data?.items ?? [];
  // Selecting all applies to the current filter; changing the filter ends it.
  const isAll = all?.of === name;
  const chosen = isAll ? new Map(rows.filter(canSelect).map((row) => [row.id, row])) : chosenRows;
  const choose = (ids: ReadonlySet<string>): void => {
    setAll(undefined);
    const known = new Map(
      [...chosen, ...rows.map((row) => [row.id, row] as const)].filter(([id]) => ids.has(id)),
    );
    setChosenRows(new Map([...known].slice(0, maxNamed)));
  };
  const chooseAll = async (): Promise<void> => {
    setIsCounting(true);
    try {
      setAll({ of: name, total: (await count(filter)).total });
    } catch (error) {
      toast.failure(error);
    } finally {
      setIsCounting(false);
    }
  };
  const total = query.data?.total ?? 0;
  return {
    chosen: isAll ? { filter, total: all.total } : { rows: [...chosen.values()] },
    selection: {
      selected: new Set(chosen.keys()),
      onChange: choose,
      ...(isAll
        ? { count: all.total }
        : total > chosen.size && { more: { total, isCounting, choose: () => void chooseAll() } }),
    },
    clear: () => {
      setChosenRows(new Map());
      setAll(undefined);
    },
  };
}
