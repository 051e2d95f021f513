// The figures of a chart as a table.
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableFooter from '@mui/material/TableFooter';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { missingDigits } from './missing-digits.ts';

type Row = readonly string[];
/** The figures of a chart as texts; the first cell of a row is its name. */
export type ChartTable = {
  readonly heads: readonly string[];
  readonly rows: readonly Row[];
  /** How the rows lead to a sum; the last row is the sum. */
  readonly foot?: readonly Row[];
};

export function FigureTable({
  title,
  table: { heads, rows, foot = [] },
}: {
  title: string;
  table: ChartTable;
}) {
  const missing = missingDigits([...rows, ...foot]);
  const cellsOf = (row: Row, number: number) =>
    row.map((cell, index) => (
      <TableCell
        key={heads[index] ?? index}
        align={index === 0 ? 'left' : 'right'}
        {...(index === 0
          ? { component: 'th' as const, scope: 'row' }
          : { className: 'tabular', 'data-missing': missing[number]?.[index] })}
      >
        {cell}
      </TableCell>
    ));
  return (
    <TableContainer sx={look} tabIndex={0} role="region" aria-label={title}>
      <Table size="small" stickyHeader>
        <TableHead>
          <TableRow>
            {heads.map((head, index) => (
              <TableCell key={head} align={index === 0 ? 'left' : 'right'}>
                {head}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row, index) => (
            <TableRow key={row[0]}>{cellsOf(row, index)}</TableRow>
          ))}
        </TableBody>
        {foot.length > 0 && (
          <TableFooter>
            {foot.map((row, index) => (
              <TableRow key={row[0]}>{cellsOf(row, rows.length + index)}</TableRow>
            ))}
          </TableFooter>
        )}
      </Table>
    </TableContainer>
  );
}

const look = {
  // Ends in the middle of a row, which shows that the table goes on.
  maxHeight: 412,
  // Decimal points stand below each other; the digits that a figure lacks take room and are not there.
  '& [data-missing]::after': { content: 'attr(data-missing)', visibility: 'hidden' },
  '& tfoot th, & tfoot td': { color: 'text.primary', fontSize: '0.875rem' },
  '& tfoot tr:first-of-type > *': { borderTop: '1px solid', borderTopColor: 'text.secondary' },
  '& tfoot tr:last-of-type > *': {
    position: 'sticky',
    bottom: 0,
    bgcolor: 'background.paper',
    borderTop: '1px solid',
    borderTopColor: 'text.secondary',
    fontWeight: 700,
  },
} as const;
