// A small table of a section, edge to edge: headings, rows, and a total row. If it has more columns than fit
// a phone, its rows are cards there, like those of lists.
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { ReactNode } from 'react';
import { isEmptyCell } from './empty-cell.ts';

export type PlainRow = { readonly key: string; readonly cells: readonly ReactNode[] };

const edges = {
  // The first cell of a row is a row heading: the first data cell after it is not at the edge.
  '& tr > :first-of-type:not(th + *)': { paddingInlineStart: { xs: '16px', sm: '24px' } },
  '& tr > :last-child': { paddingInlineEnd: { xs: '16px', sm: '24px' } },
  '& td, & th': { whiteSpace: 'nowrap' },
  // On a phone, long headings of few columns would push the last column out of view.
  '& thead th': { whiteSpace: { xs: 'normal', sm: 'nowrap' } },
  '& tbody > tr > *': { height: '44px' },
} as const;
/** The number of columns that fit a phone. */
const mostOnPhones = 3;

/**
 * Each row is a card on phones: its name, then a line for each column. Explicit roles keep it a table,
 * because `display` would remove the semantics.
 */
const cards = {
  '@media (max-width: 599.95px)': {
    display: 'block',
    // Hidden visually but not from screen readers: each line shows its column.
    '& > thead': {
      position: 'absolute',
      clipPath: 'inset(50%)',
      width: '1px',
      height: '1px',
      overflow: 'hidden',
    },
    '& > tbody': { display: 'block' },
    '& > tbody > tr': {
      display: 'block',
      paddingBlock: '12px',
      '& + tr': { borderTop: '1px solid', borderTopColor: 'divider' },
    },
    '& > tbody > tr > *': {
      display: 'block',
      height: 'auto !important',
      border: 'none',
      padding: '2px 16px !important',
      textAlign: 'start',
      whiteSpace: 'normal',
      overflowWrap: 'anywhere',
    },
    '& > tbody > tr > [data-label]': {
      display: 'grid',
      gridTemplateColumns: 'minmax(88px, 35%) minmax(0, 1fr)',
      columnGap: '12px',
      '&::before': { content: 'attr(data-label)', color: 'text.secondary', fontWeight: 400 },
    },
    '& > tbody > tr > [data-empty]': { display: 'none' },
    '& > tbody > tr > th:not([data-label])': { fontWeight: 700 },
  },
} as const;
const strong = {
  '& > *': { borderTop: '1px solid', borderTopColor: 'text.secondary', fontWeight: '700 !important' },
} as const;

/** Wraps long texts that would push the following columns out of a panel. */
const wrapped = { '& tbody td': { whiteSpace: 'normal', overflowWrap: 'anywhere' } } as const;

/**
 * `words`: how many columns from the left are texts; the others are figures. `hasActions`: the last column
 * contains buttons, which need no label. `wraps`: texts may wrap. `isNamed`: the first column names the row,
 * so that a card needs no label for it.
 */
export function PlainTable({
  label,
  heads,
  rows,
  total,
  words = 1,
  hasActions = false,
  wraps = false,
  isNamed = words > 0,
}: {
  label: string;
  heads: readonly string[];
  rows: readonly PlainRow[];
  total?: PlainRow;
  words?: number;
  hasActions?: boolean;
  wraps?: boolean;
  isNamed?: boolean;
}) {
  const isCards = heads.length > mostOnPhones;
  const labelOf = (index: number): string | undefined =>
    !isCards || (index === 0 && isNamed) || (hasActions && index === heads.length - 1)
      ? undefined
      : heads[index];
  const row = ({ key, cells }: PlainRow, isTotal = false) => (
    <TableRow key={key} role="row" {...(isTotal && { sx: strong })}>
      {cells.map((cell, index) => (
        <TableCell
          key={heads[index] ?? index}
          align={index < words ? 'left' : 'right'}
          role={index === 0 ? 'rowheader' : 'cell'}
          data-label={labelOf(index)}
          {...(isEmptyCell(cell) && { 'data-empty': '' })}
          {...(index === 0 && { component: 'th', scope: 'row', sx: { fontWeight: 400 } })}
        >
          {isCards ? <div>{cell}</div> : cell}
        </TableCell>
      ))}
    </TableRow>
  );
  return (
    <TableContainer tabIndex={0} role="region" aria-label={label} sx={{ ...edges, ...(wraps && wrapped) }}>
      <Table size="small" role="table" aria-label={label} {...(isCards && { sx: cards })}>
        <TableHead role="rowgroup">
          <TableRow role="row">
            {heads.map((head, index) => (
              <TableCell key={head} role="columnheader" align={index < words ? 'left' : 'right'}>
                {head}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody role="rowgroup">
          {rows.map((one) => row(one))}
          {total && row(total, true)}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
