// A list from the server: rows on wide screens, cards on phones, and the loading, empty and error states.
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Suspense, useContext, useId, type ReactNode } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import { useColumnChoice } from './column-store.ts';
import { useFormat } from '../format/use-format.ts';
import { BulkBar } from './BulkBar.tsx';
import { CardList } from './CardList.tsx';
import { inOrder, isShown, type Room } from './column-choice.ts';
import { NoMatch } from './EmptyState.tsx';
import { ErrorState } from './ErrorState.tsx';
import { FilterBar } from './FilterBar.tsx';
import type { DataTableProps } from './list-parts.ts';
import { ListPartContext } from './list-slots.ts';
import { ListTools } from './ListTools.tsx';
import { Pager } from './Pager.tsx';
import { distinctNames } from './row-names.ts';
import { RowTable } from './RowTable.tsx';
import { IsInPanel } from './Section.tsx';
import type { FilterValues } from './table-state.ts';
import { useDeferredRender } from './use-deferred-render.ts';
import { VisuallyHidden } from './VisuallyHidden.tsx';

export function DataTable<Row, F extends FilterValues>(props: DataTableProps<Row, F>) {
  const { list, given, state, columns } = props;
  const panel = useId();
  const own = useContext(ListPartContext);
  const chosen = useColumnChoice(list ?? '');
  const room = useTableLayout();
  const hasBar =
    props.searchLabel !== undefined ||
    props.filters !== undefined ||
    props.toolbar !== undefined ||
    props.moreFilters !== undefined;
  const tools = list !== undefined && (
    <ListTools
      list={list}
      columns={columns}
      chosen={chosen}
      room={room}
      views={state.views}
      hasTabs={given !== undefined}
    />
  );
  const bar = hasBar && (
    <FilterBar<F>
      state={state}
      searchLabel={props.searchLabel}
      filters={props.filters}
      more={props.moreFilters}
      extra={
        tools ? (
          <>
            {props.toolbar}
            {tools}
          </>
        ) : (
          props.toolbar
        )
      }
    />
  );
  const visible = inOrder(columns, chosen.choice).filter((column) =>
    isShown(column, columns[0]?.key, chosen.choice, room),
  );
  const body = (
    <>
      {bar}
      <Rows {...props} columns={visible} namedBy={columns[0]?.key} room={room} />
    </>
  );
  return (
    <Card
      component={props.title === undefined ? 'div' : 'section'}
      // A page may show several lists, each with the same tools.
      role="group"
      aria-label={props.label}
      sx={{ minWidth: 0, overflow: 'clip' }}
    >
      <Head
        title={props.title}
        lead={props.lead}
        actions={
          props.actions !== undefined || (tools && !hasBar) ? (
            <>
              {props.actions}
              {!hasBar && tools}
            </>
          ) : undefined
        }
        hasBar={hasBar}
      />
      {own && list !== undefined && given ? (
        <>
          <Suspense fallback={<Box sx={{ height: 45 }} />}>
            <own.Part part="tabs" list={list} views={state.views} given={given} panel={panel} />
          </Suspense>
          <Box role="tabpanel" id={panel} aria-label={props.label}>
            {body}
          </Box>
        </>
      ) : (
        body
      )}
    </Card>
  );
}

function useTableLayout(): Room {
  const theme = useTheme();
  const isPhone = useMediaQuery(theme.breakpoints.down('sm'));
  const isTablet = useMediaQuery(theme.breakpoints.between('sm', 'md'));
  return isPhone ? 'cards' : isTablet ? 'narrow' : 'wide';
}

function Head({
  title,
  lead,
  actions,
  hasBar,
}: {
  title: string | undefined;
  lead: ReactNode;
  actions: ReactNode;
  hasBar: boolean;
}) {
  const hasActions = actions !== undefined;
  const isInPanel = useContext(IsInPanel);
  return (
    <>
      {(title !== undefined || hasActions) && (
        <Stack
          direction="row"
          sx={{
            gap: 1,
            alignItems: 'center',
            flexWrap: 'wrap',
            padding: {
              xs: '12px 16px',
              sm: hasBar ? '16px 24px 0' : hasActions ? '12px 24px 8px' : '16px 24px 12px',
            },
          }}
        >
          {title !== undefined && <Typography variant={isInPanel ? 'h3' : 'h2'}>{title}</Typography>}
          {hasActions && (
            <Stack
              direction="row"
              sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap', marginInlineStart: 'auto' }}
            >
              {actions}
            </Stack>
          )}
        </Stack>
      )}
      {lead !== undefined && (
        <Typography
          variant="body2"
          component="div"
          color="textSecondary"
          sx={{ textWrap: 'pretty', padding: { xs: '0 16px 8px', sm: '4px 24px 8px' } }}
        >
          {lead}
        </Typography>
      )}
    </>
  );
}

/** The rows, or the reason why there are none. */
function Rows<Row, F extends FilterValues>(
  props: DataTableProps<Row, F> & { readonly namedBy: string | undefined; readonly room: Room },
) {
  const { query, state } = props;
  const { t } = useTranslation('platform');
  const format = useFormat();
  const data = useDeferredRender(query.data);
  const rows = data?.items;
  const isEmpty = rows?.length === 0;
  const named = { ...props, ...distinctNames(rows ?? [], props), rows };
  return (
    <>
      <VisuallyHidden live>
        {data && !query.isPlaceholderData ? t('table.results', { total: format.number(data.total) }) : ''}
      </VisuallyHidden>
      {query.error && !query.data && (
        <Box sx={{ padding: 3 }}>
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        </Box>
      )}
      {isEmpty && (state.isNarrowed ? <NoMatch onClear={state.clear} /> : props.empty)}
      {!isEmpty && !(query.error && !query.data) && (
        <Box
          aria-busy={query.isPlaceholderData || rows === undefined}
          sx={{ opacity: query.isPlaceholderData ? 0.6 : 1, transition: 'opacity 120ms' }}
        >
          {props.room === 'cards' ? <CardList {...named} /> : <RowTable {...named} />}
        </Box>
      )}
      {data && !isEmpty && !props.isWhole && <Pager page={data} state={state} />}
      {props.selection && <BulkBar selection={props.selection} />}
    </>
  );
}
