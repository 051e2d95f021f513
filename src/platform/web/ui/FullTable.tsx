// A short list that is loaded completely: looks like every list, without pages, search or column selection.
import type { ReactNode } from 'react';
import { DataTable } from './DataTable.tsx';
import type { Column, ListQuery } from './list-parts.ts';
import type { RowAction } from './RowMenu.tsx';
import { useTableState } from './table-state.ts';

type FullTableProps<Row> = {
  readonly title: string;
  readonly lead?: ReactNode;
  /** At the right of the title. */
  readonly actions?: ReactNode;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly rowName: (row: Row) => string;
  readonly rowDetail?: (row: Row) => string;
  readonly rowActions?: (row: Row) => readonly RowAction[];
  readonly onRowClick?: (row: Row) => void;
  readonly isPanel?: boolean;
  readonly empty?: ReactNode;
  /** The rows, or the query that loads them. */
} & (
  | { readonly rows: readonly Row[] }
  | {
      readonly query: Omit<ListQuery<Row>, 'data'> & {
        readonly data: { readonly items: readonly Row[] } | undefined;
      };
    }
);

const here = { error: null, isPlaceholderData: false, refetch: () => undefined };

export function FullTable<Row>({ title, empty = null, ...rest }: FullTableProps<Row>) {
  const state = useTableState({ prefix: 'whole-' });
  const { items, query } =
    'rows' in rest ? { items: rest.rows, query: here } : { items: rest.query.data?.items, query: rest.query };
  return (
    <DataTable
      {...rest}
      title={title}
      label={title}
      query={{ ...query, data: items && { items: [...items], nextCursor: null, total: items.length } }}
      state={state}
      empty={empty}
      isWhole
    />
  );
}
