// A small table of a section, edge to edge: heads, rows, and a last row that sums them up. Where it has more columns than a phone is wide, its
// rows are cards there, as those of lists are.
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { ReactNode } from 'react';

export type PlainRow = { readonly key: string; readonly cells: readonly ReactNode[] };

const edges = {
  // The first cell of a row is a heading: the first of the data cells after it is not at the edge.
  '& tr > :first-of-type:not(th + *)': { paddingInlineStart: { xs: '16px', sm: '24px' } },
  '& tr > :last-child': { paddingInlineEnd: { xs: '16px', sm: '24px' } },
  '& td, & th': { whiteSpace: 'nowrap' },
  // Long headings of few columns would push the last of them out of a phone.
  '& thead th': { whiteSpace: { xs: 'normal', sm: 'nowrap' } },
  '& tbody > tr > *': { height: '44px' },
} as const;
/** So many columns fit a phone. */
const mostOnPhones = 3;

/** Each row a card on phones: what it is about, then a line for each column. The roles stay those of a table, which `display` would take from it. */
const cards = {
  '@media (max-width: 599.95px)': {
    display: 'block',
    // Read, not seen: each line says its column.
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

/** Long texts that would push what follows them out of a panel. */
const wrapped = { '& tbody td': { whiteSpace: 'normal', overflowWrap: 'anywhere' } } as const;

/**
 * `words`: how many columns from the left are words; the others are figures. `hasActions`: the last column holds buttons, which say by themselves what they do.
 * `wraps`: texts take several lines. `isNamed`: the first column says what a row is about, so that a card needs no label for it.
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
  const isEmpty = (cell: ReactNode): boolean =>
    cell === '' || cell === null || cell === undefined || cell === false;
  const row = ({ key, cells }: PlainRow, isTotal = false) => (
    <TableRow key={key} role="row" {...(isTotal && { sx: strong })}>
      {cells.map((cell, index) => (
        <TableCell
          key={heads[index] ?? index}
          align={index < words ? 'left' : 'right'}
          role={index === 0 ? 'rowheader' : 'cell'}
          data-label={labelOf(index)}
          {...(isEmpty(cell) && { 'data-empty': '' })}
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
