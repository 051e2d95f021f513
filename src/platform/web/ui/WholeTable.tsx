// A short list that is there as a whole: the look of every list, without pages.
import type { ReactNode } from 'react';
import { DataTable } from './DataTable.tsx';
import type { Column } from './list-parts.ts';
import type { RowAction } from './RowMenu.tsx';
import { useTableState } from './table-state.ts';

type WholeTableProps<Row> = {
  readonly title: string;
  readonly lead?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly rowName: (row: Row) => string;
  readonly rowActions?: (row: Row) => readonly RowAction[];
  readonly empty?: ReactNode;
};

export function WholeTable<Row>({ title, rows, empty = null, ...rest }: WholeTableProps<Row>) {
  const state = useTableState({ prefix: 'whole-' });
  const query = { data: { items: [...rows], nextCursor: null, total: rows.length }, error: null, isPlaceholderData: false, refetch: () => undefined };
  return <DataTable title={title} label={title} query={query} state={state} empty={empty} isWhole {...rest} />;
}
