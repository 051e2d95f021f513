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
} as const;
/** So many columns fit a phone. */
const mostOnPhones = 3;

/** Each row a card: what it is about, then a line for each column. The roles stay those of a table, which `display` would take from it. */
const cards = {
  display: { xs: 'block', sm: 'table' },
  '& > thead': {
    position: { xs: 'absolute', sm: 'static' },
    // Read, not seen: each line says its column.
    clipPath: { xs: 'inset(50%)', sm: 'none' },
    width: { xs: '1px', sm: 'auto' },
    height: { xs: '1px', sm: 'auto' },
    overflow: { xs: 'hidden', sm: 'visible' },
  },
  '& > tbody': { display: { xs: 'block', sm: 'table-row-group' } },
  '& > tbody > tr': {
    display: { xs: 'block', sm: 'table-row' },
    paddingBlock: { xs: '8px', sm: 0 },
    borderBottom: { xs: '1px solid', sm: 'none' },
    borderBottomColor: { xs: 'divider', sm: 'transparent' },
    '&:last-of-type': { borderBottom: 'none' },
  },
  '& > tbody > tr > *': {
    display: { xs: 'block', sm: 'table-cell' },
    position: 'relative',
    height: { xs: 'auto', sm: '44px' },
    whiteSpace: { xs: 'normal', sm: 'nowrap' },
    overflowWrap: 'anywhere',
    textAlign: { xs: 'start', sm: 'inherit' },
    borderBottomWidth: { xs: 0, sm: '1px' },
    paddingBlock: { xs: '3px', sm: '6px' },
    paddingInline: { xs: '16px !important', sm: '16px' },
    '&[data-label]': { paddingInlineStart: { xs: '40% !important', sm: '16px' } },
    '&[data-label]::before': {
      display: { xs: 'block', sm: 'none' },
      position: 'absolute',
      insetInlineStart: '16px',
      width: 'calc(40% - 24px)',
      content: 'attr(data-label)',
      color: 'text.secondary',
      fontWeight: 400,
    },
    '&:empty': { display: { xs: 'none', sm: 'table-cell' } },
  },
  '& > tbody > tr > th': {
    fontWeight: { xs: '700 !important', sm: 400 },
  },
} as const;
const strong = {
  '& > *': { borderTop: '1px solid', borderTopColor: 'text.secondary', fontWeight: '700 !important' },
} as const;

/** `words`: how many columns from the left are words; the others are figures. `hasActions`: the last column holds buttons, which say by themselves what they do. */
export function PlainTable({
  label,
  heads,
  rows,
  total,
  words = 1,
  hasActions = false,
}: {
  label: string;
  heads: readonly string[];
  rows: readonly PlainRow[];
  total?: PlainRow;
  words?: number;
  hasActions?: boolean;
}) {
  const isCards = heads.length > mostOnPhones;
  const labelOf = (index: number): string | undefined =>
    !isCards || (index === 0 && words > 0) || (hasActions && index === heads.length - 1)
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
          {...(index === 0 && { component: 'th', scope: 'row', sx: { fontWeight: 400 } })}
        >
          {cell}
        </TableCell>
      ))}
    </TableRow>
  );
  return (
    <TableContainer tabIndex={0} role="region" aria-label={label} sx={edges}>
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
