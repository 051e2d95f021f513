// A short list that comes whole: a titled card with its button, rows on wide screens and cards on phones.
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { ReactNode } from 'react';
import { CardList } from '#platform/web/ui/CardList.tsx';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import type { RowAction } from '#platform/web/ui/RowMenu.tsx';
import { RowTable } from '#platform/web/ui/RowTable.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';

export type WholeListProps<Row> = {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly query: { readonly data: { readonly items: readonly Row[] } | undefined; readonly error: Error | null; readonly isPlaceholderData: boolean; readonly refetch: () => unknown };
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly rowName: (row: Row) => string;
  readonly rowActions?: (row: Row) => readonly RowAction[];
  readonly empty: ReactNode;
};

export function WholeList<Row>({ title, lead, actions, query, empty, columns, ...rows }: WholeListProps<Row>) {
  const theme = useTheme();
  const isPhone = useMediaQuery(theme.breakpoints.down('sm'));
  const isTablet = useMediaQuery(theme.breakpoints.between('sm', 'lg'));
  const state = useTableState();
  const items = query.data?.items;
  const list = {
    ...rows, state, empty, label: title, rows: items, columns: isTablet ? columns.filter((column) => column.show !== 'wide') : columns,
    query: { ...query, data: items && { items: [...items], nextCursor: null, total: items.length } },
  };
  return (
    <Section title={title} {...(lead !== undefined && { lead })} actions={actions} flush>
      {query.error && !items ? <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        : items?.length === 0 ? empty
          : isPhone ? <CardList {...list} /> : <RowTable {...list} />}
    </Section>
  );
}
