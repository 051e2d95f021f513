// The rows of a list as a table with sortable headings, checkboxes and a menu for each row.
import Checkbox from '@mui/material/Checkbox';
import Skeleton from '@mui/material/Skeleton';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import TableSortLabel from '@mui/material/TableSortLabel';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import { useLayoutStore } from '../shell/layout-store.ts';
import type { Column, DataTableProps, Selection } from './list-parts.ts';
import { Words } from './NoWrap.tsx';
import { OpenRow } from './OpenRow.tsx';
import { RowMenu } from './RowMenu.tsx';
import type { FilterValues } from './table-state.ts';
import { unshownName, type RowNames } from './row-names.ts';
import { useRowKeys } from './use-row-keys.ts';
import { VisuallyHidden } from './VisuallyHidden.tsx';

type RowTableProps<Row, F extends FilterValues> = DataTableProps<Row, F> & {
  readonly rows: readonly Row[] | undefined;
  /** The column that names a row: the list's first, even if the user has moved it. */
  readonly namedBy: string | undefined;
  readonly apart: RowNames<Row>['apart'];
};

/**
 * A right-aligned figure directly before a left-aligned text would look like one word, so the text gets
 * padding.
 */
const textAfterFigure = '& .MuiTableCell-alignRight + .MuiTableCell-alignLeft';

/** The number of skeleton rows, about one screenful. */
const skeletonRows = 8;

export function RowTable<Row, F extends FilterValues>(props: RowTableProps<Row, F>) {
  const { columns, rows, rowActions, selection, label } = props;
  const { t } = useTranslation('platform');
  const isCompact = useLayoutStore((layout) => layout.density === 'compact');
  const selectable = (rows ?? []).filter((row) => props.canSelect?.(row) ?? true).map(props.rowKey);
  const { current, ...keyboard } = useRowKeys({
    keys: (rows ?? []).map(props.rowKey),
    onOpen:
      props.onRowClick &&
      ((key) => rows?.filter((row) => props.rowKey(row) === key).forEach((row) => props.onRowClick?.(row))),
    onToggle:
      selection &&
      ((key) => selectable.includes(key) && selection.onChange(toggled(selection.selected, key))),
    onSelectAll: selection && (() => selection.onChange(new Set([...selection.selected, ...selectable]))),
  });
  return (
    <TableContainer
      role="region"
      aria-label={label}
      sx={{
        '& tr > :first-child:not(.MuiTableCell-paddingCheckbox)': { paddingInlineStart: '24px' },
        '& tr > :last-child': { paddingInlineEnd: rowActions ? '8px' : '24px' },
        '& tr > .MuiTableCell-paddingCheckbox': { paddingInlineStart: '14px' },
        [textAfterFigure]: { paddingInlineStart: '40px' },
      }}
    >
      <Table size={isCompact ? 'small' : 'medium'} aria-label={label}>
        <TableHead>
          <TableRow>
            {selection && <SelectAll keys={selectable} selection={selection} />}
            {columns.map((column) => (
              <Head
                key={column.key}
                column={column}
                sort={props.state.query.sort}
                onSort={props.state.toggleSort}
              />
            ))}
            {rowActions && (
              <TableCell sx={{ width: 56, position: 'relative' }}>
                <VisuallyHidden>{t('table.actions')}</VisuallyHidden>
              </TableCell>
            )}
          </TableRow>
        </TableHead>
        <TableBody {...keyboard}>
          {rows === undefined
            ? Array.from({ length: skeletonRows }, (_, index) => (
                <SkeletonRow
                  key={index}
                  columns={columns}
                  extra={(selection ? 1 : 0) + (rowActions ? 1 : 0)}
                  index={index}
                />
              ))
            : rows.map((row) => (
                <Row key={props.rowKey(row)} row={row} isCurrent={props.rowKey(row) === current} {...props} />
              ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

function Row<Row, F extends FilterValues>({
  row,
  isCurrent,
  namedBy,
  columns,
  rowKey,
  rowName,
  apart,
  rowActions,
  selection,
  canSelect,
  onRowClick,
  isPanel,
  isMarked,
}: RowTableProps<Row, F> & { row: Row; isCurrent: boolean }) {
  const { t } = useTranslation('platform');
  const key = rowKey(row);
  const name = rowName(row);
  const isSelected = selection?.selected.has(key) ?? false;
  return (
    <TableRow
      hover
      selected={isSelected}
      tabIndex={isCurrent ? 0 : -1}
      onClick={onRowClick && ((event: React.MouseEvent) => !isControl(event.target) && onRowClick(row))}
      sx={{
        cursor: onRowClick ? 'pointer' : undefined,
        '&:focus-visible': { outlineOffset: -2 },
        ...(isMarked?.(row) && { bgcolor: 'warning.soft' }),
      }}
    >
      {selection && (
        <TableCell padding="checkbox">
          <Checkbox
            checked={isSelected}
            disabled={!(canSelect?.(row) ?? true)}
            onChange={() => selection.onChange(toggled(selection.selected, key))}
            slotProps={{ input: { 'aria-label': t('table.select_row', { name }) } }}
          />
        </TableCell>
      )}
      {columns.map((column) => {
        const content = column.render(row);
        return (
          <TableCell
            key={column.key}
            align={column.align ?? 'left'}
            {...(column.key === namedBy && { component: 'th' as const, scope: 'row' })}
            sx={{
              fontWeight: 400,
              width: column.width,
              overflowWrap: hasLongWord(content) ? 'anywhere' : 'break-word',
              '& > button': { overflowWrap: 'inherit' },
              '&:lang(ja)': { wordBreak: 'auto-phrase' },
              paddingBlock: '5px',
              ...(column.key === namedBy && { minWidth: 128 }),
            }}
          >
            {column.key === namedBy && onRowClick ? (
              <OpenRow isPanel={isPanel} onOpen={() => onRowClick(row)}>
                <Words>{content}</Words>
                <UnshownName name={name} content={content} apart={apart(row)} />
              </OpenRow>
            ) : (
              <Words>{content}</Words>
            )}
          </TableCell>
        );
      })}
      {rowActions && (
        <TableCell align="right" sx={{ width: 56, paddingInline: '4px 8px' }}>
          <RowMenu name={name} actions={rowActions(row)} />
        </TableCell>
      )}
    </TableRow>
  );
}

/** For screen readers: what a row is called besides the content that opens it. */
export function UnshownName({
  name,
  content,
  apart,
}: {
  name: string;
  content: ReactNode;
  apart: string | undefined;
}) {
  const hiddenName = unshownName(name, typeof content === 'string' ? content : undefined, apart);
  return hiddenName === '' ? null : <VisuallyHidden>{hiddenName}</VisuallyHidden>;
}

/**
 * Whether a word may be too long for its column, such as an identifier. Only then may the column become
 * narrower than its longest word. Contents that are no plain text are assumed to have one.
 */
const hasLongWord = (content: ReactNode): boolean =>
  typeof content !== 'string' || /[^\s-]{17}/.test(content);

/** A click on a link, button or checkbox inside a row is not a click on the row. */
const isControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('a, button, input, label, [role="menuitem"]') !== null;

/** The selection with one key added or removed. */
export function toggled(selected: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(key)) next.add(key);
  return next;
}

function Head<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>;
  sort: string | undefined;
  onSort: (key: string) => void;
}) {
  const direction = sort === column.key ? 'asc' : sort === `-${column.key}` ? 'desc' : undefined;
  const ariaSort = { asc: 'ascending', desc: 'descending' } as const;
  return (
    <TableCell
      align={column.align ?? 'left'}
      aria-sort={direction && ariaSort[direction]}
      sx={{ width: column.width }}
    >
      {column.sortable ? (
        <TableSortLabel
          active={direction !== undefined}
          direction={direction ?? 'asc'}
          onClick={() => onSort(column.key)}
        >
          {column.label}
        </TableSortLabel>
      ) : (
        column.label
      )}
    </TableCell>
  );
}

function SelectAll({ keys, selection }: { keys: readonly string[]; selection: Selection }) {
  const { t } = useTranslation('platform');
  const count = keys.filter((key) => selection.selected.has(key)).length;
  const change = () => {
    const next = new Set(selection.selected);
    for (const key of keys) {
      if (count === keys.length) next.delete(key);
      else next.add(key);
    }
    selection.onChange(next);
  };
  return (
    <TableCell padding="checkbox">
      <Checkbox
        checked={keys.length > 0 && count === keys.length}
        indeterminate={count > 0 && count < keys.length}
        disabled={keys.length === 0}
        onChange={change}
        slotProps={{ input: { 'aria-label': t('table.select_all') } }}
      />
    </TableCell>
  );
}

function SkeletonRow<Row>({
  columns,
  extra,
  index,
}: {
  columns: readonly Column<Row>[];
  extra: number;
  index: number;
}) {
  return (
    <TableRow>
      {Array.from({ length: columns.length + extra }, (_, cell) => (
        <TableCell key={cell}>
          <Skeleton width={`${55 + ((index * 7 + cell * 13) % 40)}%`} sx={{ animationDelay: '200ms' }} />
        </TableCell>
      ))}
    </TableRow>
  );
}
