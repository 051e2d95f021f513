// A list from the server: rows on wide screens, cards on phones, with every state a list can be in.
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { ReactNode } from 'react';
import type { Page } from '#kernel/shape.ts';
import { usePlatformTexts } from '../i18n.ts';
import { useFormat } from '../use-format.ts';
import { BulkBar } from './BulkBar.tsx';
import { CardList } from './CardList.tsx';
import { NoMatch } from './EmptyState.tsx';
import { ErrorState } from './ErrorState.tsx';
import { FilterBar, type FilterSpec } from './FilterBar.tsx';
import { Pager } from './Pager.tsx';
import type { RowAction } from './RowMenu.tsx';
import { RowTable } from './RowTable.tsx';
import type { FilterValues, TableState } from './table-state.ts';
import { VisuallyHidden } from './VisuallyHidden.tsx';

export type Column<Row> = {
  /** Also the name the server sorts by, when `sortable`. */
  readonly key: string;
  readonly label: string;
  readonly render: (row: Row) => ReactNode;
  /** Numbers and amounts. */
  readonly align?: 'right';
  readonly sortable?: boolean;
  readonly width?: number | string;
  /** 'wide' is left out between 600 and 899 px. */
  readonly show?: 'always' | 'wide';
  /** In a card: its title (one column), a line beside its label, or left out. */
  readonly card?: 'title' | 'line' | 'hidden';
};

export type Selection = {
  readonly selected: ReadonlySet<string>;
  readonly onChange: (selected: ReadonlySet<string>) => void;
  /** Buttons for what is selected, in the bar at the bottom. */
  readonly actions: ReactNode;
};

/** The part of a TanStack query that a list needs. */
export type ListQuery<Row> = {
  readonly data: Page<Row> | undefined;
  readonly error: Error | null;
  readonly isPlaceholderData: boolean;
  readonly refetch: () => unknown;
};

export type DataTableProps<Row, F extends FilterValues> = {
  /** Names the list for screen readers. */
  readonly label: string;
  /** An h2 above the list, where the page holds more than the list. */
  readonly title?: string;
  readonly columns: readonly Column<Row>[];
  readonly query: ListQuery<Row>;
  readonly state: TableState<F>;
  readonly rowKey: (row: Row) => string;
  /** The row's name, for its checkbox and its menu. */
  readonly rowName: (row: Row) => string;
  readonly searchLabel?: string;
  readonly filters?: FilterSpec<F>;
  readonly toolbar?: ReactNode;
  /** First use: why the list is empty and how the first row comes about. */
  readonly empty: ReactNode;
  readonly rowActions?: (row: Row) => readonly RowAction[];
  readonly selection?: Selection;
  /** Rows that cannot be selected (one's own account). */
  readonly canSelect?: (row: Row) => boolean;
  readonly onRowClick?: (row: Row) => void;
  /** A row that needs attention: tints it. */
  readonly isMarked?: (row: Row) => boolean;
};

export function DataTable<Row, F extends FilterValues>(props: DataTableProps<Row, F>) {
  const { query, state, columns } = props;
  const t = usePlatformTexts();
  const format = useFormat();
  const theme = useTheme();
  const isPhone = useMediaQuery(theme.breakpoints.down('sm'));
  const isTablet = useMediaQuery(theme.breakpoints.between('sm', 'md'));
  const rows = query.data?.items;
  const visible = isTablet ? columns.filter((column) => column.show !== 'wide') : columns;
  const hasBar = props.searchLabel !== undefined || props.filters !== undefined || props.toolbar !== undefined;
  const isEmpty = rows?.length === 0;
  return (
    <Card sx={{ minWidth: 0, overflow: 'clip' }}>
      {props.title !== undefined && <Typography variant="h2" sx={{ padding: { xs: '12px 16px', sm: hasBar ? '16px 24px 0' : '16px 24px 12px' } }}>{props.title}</Typography>}
      {hasBar && <FilterBar<F> state={state} {...(props.searchLabel !== undefined && { searchLabel: props.searchLabel })} {...(props.filters && { filters: props.filters })} extra={props.toolbar} />}
      <VisuallyHidden live>{query.data && !query.isPlaceholderData ? t('table.results', { total: format.number(query.data.total) }) : ''}</VisuallyHidden>
      {query.error && !query.data && <Box sx={{ padding: 3 }}><ErrorState error={query.error} onRetry={() => void query.refetch()} /></Box>}
      {isEmpty && (state.isNarrowed ? <NoMatch onClear={state.clear} /> : props.empty)}
      {!isEmpty && !(query.error && !query.data) && (
        <Box aria-busy={query.isPlaceholderData || rows === undefined} sx={{ opacity: query.isPlaceholderData ? 0.6 : 1, transition: 'opacity 120ms' }}>
          {isPhone ? <CardList {...props} rows={rows} /> : <RowTable {...props} columns={visible} rows={rows} />}
        </Box>
      )}
      {query.data && !isEmpty && <Pager page={query.data} state={state} />}
      {props.selection && props.selection.selected.size > 0 && <BulkBar selection={props.selection} />}
    </Card>
  );
}
