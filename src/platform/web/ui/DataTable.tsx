// A list from the server: rows on wide screens, cards on phones, with every state a list can be in.
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { usePlatformTexts } from '../i18n.ts';
import { useFormat } from '../use-format.ts';
import { BulkBar } from './BulkBar.tsx';
import { CardList } from './CardList.tsx';
import { NoMatch } from './EmptyState.tsx';
import { ErrorState } from './ErrorState.tsx';
import { FilterBar } from './FilterBar.tsx';
import type { DataTableProps } from './list-parts.ts';
import { Pager } from './Pager.tsx';
import { RowTable } from './RowTable.tsx';
import type { FilterValues } from './table-state.ts';
import { VisuallyHidden } from './VisuallyHidden.tsx';

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
      {props.lead !== undefined && <Typography variant="body2" color="textSecondary" sx={{ padding: { xs: '0 16px 12px', sm: '0 24px 12px' } }}>{props.lead}</Typography>}
      {hasBar && <FilterBar<F> state={state} {...(props.searchLabel !== undefined && { searchLabel: props.searchLabel })} {...(props.filters && { filters: props.filters })} extra={props.toolbar} />}
      <VisuallyHidden live>{query.data && !query.isPlaceholderData ? t('table.results', { total: format.number(query.data.total) }) : ''}</VisuallyHidden>
      {query.error && !query.data && <Box sx={{ padding: 3 }}><ErrorState error={query.error} onRetry={() => void query.refetch()} /></Box>}
      {isEmpty && (state.isNarrowed ? <NoMatch onClear={state.clear} /> : props.empty)}
      {!isEmpty && !(query.error && !query.data) && (
        <Box aria-busy={query.isPlaceholderData || rows === undefined} sx={{ opacity: query.isPlaceholderData ? 0.6 : 1, transition: 'opacity 120ms' }}>
          {isPhone ? <CardList {...props} rows={rows} /> : <RowTable {...props} columns={visible} rows={rows} />}
        </Box>
      )}
      {query.data && !isEmpty && !props.isWhole && <Pager page={query.data} state={state} />}
      {props.selection && props.selection.selected.size > 0 && <BulkBar selection={props.selection} />}
    </Card>
  );
}
