// The rows of a list as cards, for phones: title and menu at the top, the other columns as labeled lines.
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import Divider from '@mui/material/Divider';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslation } from '../i18n/i18n.ts';
import { isEmptyCell } from './empty-cell.ts';
import type { DataTableProps } from './list-parts.ts';
import { Words } from './NoWrap.tsx';
import { OpenRow } from './OpenRow.tsx';
import { RowMenu } from './RowMenu.tsx';
import type { RowNames } from './row-names.ts';
import { toggled, UnshownName } from './RowTable.tsx';
import type { FilterValues } from './table-state.ts';

type CardListProps<Row, F extends FilterValues> = DataTableProps<Row, F> & {
  readonly rows: readonly Row[] | undefined;
  readonly apart: RowNames<Row>['apart'];
};

export function CardList<Row, F extends FilterValues>(props: CardListProps<Row, F>) {
  const { rows, label } = props;
  if (rows === undefined) {
    return (
      <Stack divider={<Divider />}>
        {Array.from({ length: 5 }, (_, index) => (
          <Box key={index} sx={{ padding: 2 }}>
            <Skeleton width="50%" />
            <Skeleton width="80%" />
            <Skeleton width="65%" />
          </Box>
        ))}
      </Stack>
    );
  }
  return (
    <Stack component="ul" aria-label={label} sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {rows.map((row) => (
        <RowCard key={props.rowKey(row)} row={row} {...props} />
      ))}
    </Stack>
  );
}

function RowCard<Row, F extends FilterValues>({
  row,
  columns,
  rowKey,
  rowName,
  apart,
  rowActions,
  selection,
  canSelect,
  isMarked,
  onRowClick,
  isPanel,
}: CardListProps<Row, F> & { row: Row }) {
  const { t } = useTranslation('platform');
  const key = rowKey(row);
  const title = columns.find((column) => column.card === 'title') ?? columns[0];
  const rest = columns
    .filter((column) => column !== title)
    .map(({ key: name, label, card, render }) => ({ name, label, card, content: render(row) }))
    .filter(({ content }) => !isEmptyCell(content));
  const lines = rest.filter(({ card }) => card !== 'foot');
  const foot = rest.filter(({ card }) => card === 'foot');
  return (
    <Box
      component="li"
      sx={{
        padding: '8px 8px 12px 16px',
        '& + &': { borderTop: '1px solid', borderColor: 'divider' },
        ...(isMarked?.(row) && { bgcolor: 'warning.soft' }),
      }}
    >
      <Stack direction="row" sx={{ alignItems: 'center', gap: 1, minHeight: 44, paddingBlock: '4px' }}>
        {selection && (
          <Checkbox
            edge="start"
            checked={selection.selected.has(key)}
            disabled={!(canSelect?.(row) ?? true)}
            onChange={() => selection.onChange(toggled(selection.selected, key))}
            slotProps={{ input: { 'aria-label': t('table.select_row', { name: rowName(row) }) } }}
          />
        )}
        <Typography
          variant="subtitle1"
          component="div"
          sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}
        >
          {onRowClick ? (
            <OpenRow isPanel={isPanel} onOpen={() => onRowClick(row)}>
              {title?.render(row)}
              <UnshownName name={rowName(row)} content={title?.render(row)} apart={apart(row)} />
            </OpenRow>
          ) : (
            title?.render(row)
          )}
        </Typography>
        {rowActions && <RowMenu name={rowName(row)} actions={rowActions(row)} />}
      </Stack>
      <Box
        component="dl"
        sx={{
          display: 'grid',
          gridTemplateColumns: 'minmax(88px, 35%) minmax(0, 1fr)',
          gap: '4px 12px',
          alignItems: 'baseline',
          margin: '0 8px 0 0',
          fontSize: '0.875rem',
          lineHeight: 22 / 14,
        }}
      >
        {lines.map(({ name, label, content }) => (
          <Box key={name} sx={{ display: 'contents' }}>
            <Box component="dt" sx={{ color: 'text.secondary' }}>
              {label}
            </Box>
            <Box component="dd" sx={{ margin: 0, overflowWrap: 'anywhere' }}>
              <Words>{content}</Words>
            </Box>
          </Box>
        ))}
      </Box>
      {foot.map(({ name, content }) => (
        <Box key={name} sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, marginTop: 1.5 }}>
          {content}
        </Box>
      ))}
    </Box>
  );
}
