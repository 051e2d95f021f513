// A short list that is there as a whole: the look of every list, without pages.
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import type { RowAction } from '#platform/web/ui/RowMenu.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';

type WholeTableProps<Row> = {
  readonly title: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly rowName: (row: Row) => string;
  readonly rowActions?: (row: Row) => readonly RowAction[];
};

export function WholeTable<Row>({ title, rows, ...rest }: WholeTableProps<Row>) {
  const state = useTableState({ prefix: 'whole-' });
  const query = { data: { items: [...rows], nextCursor: null, total: rows.length }, error: null, isPlaceholderData: false, refetch: () => undefined };
  return <DataTable title={title} label={title} query={query} state={state} empty={null} {...rest} />;
}
