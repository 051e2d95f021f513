// A small table of a section, edge to edge: heads, rows, and a last row that sums them up.
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
const strong = {
  '& > *': { borderTop: '1px solid', borderTopColor: 'text.secondary', fontWeight: '700 !important' },
} as const;

/** `words`: how many columns from the left are words; the others are figures. */
export function PlainTable({
  label,
  heads,
  rows,
  total,
  words = 1,
}: {
  label: string;
  heads: readonly string[];
  rows: readonly PlainRow[];
  total?: PlainRow;
  words?: number;
}) {
  const row = ({ key, cells }: PlainRow, isTotal = false) => (
    <TableRow key={key} {...(isTotal && { sx: strong })}>
      {cells.map((cell, index) => (
        <TableCell
          key={heads[index] ?? index}
          align={index < words ? 'left' : 'right'}
          {...(index === 0 && { component: 'th', scope: 'row', sx: { fontWeight: 400 } })}
        >
          {cell}
        </TableCell>
      ))}
    </TableRow>
  );
  return (
    <TableContainer tabIndex={0} role="region" aria-label={label} sx={edges}>
      <Table size="small" aria-label={label}>
        <TableHead>
          <TableRow>
            {heads.map((head, index) => (
              <TableCell key={head} align={index < words ? 'left' : 'right'}>
                {head}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((one) => row(one))}
          {total && row(total, true)}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
