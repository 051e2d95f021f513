// The figures of a chart as a table.
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';

/** The figures of a chart as texts; the first cell of a row is its name. */
export type ChartTable = { readonly heads: readonly string[]; readonly rows: readonly (readonly string[])[] };

export function FigureTable({ title, table }: { title: string; table: ChartTable }) {
  return (
    <TableContainer sx={{ maxHeight: 400 }} tabIndex={0} role="region" aria-label={title}>
      <Table size="small" stickyHeader>
        <TableHead>
          <TableRow>
            {table.heads.map((head, index) => (
              <TableCell key={head} align={index === 0 ? 'left' : 'right'}>
                {head}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {table.rows.map((row) => (
            <TableRow key={row[0]}>
              {row.map((cell, index) => (
                <TableCell
                  key={table.heads[index] ?? index}
                  align={index === 0 ? 'left' : 'right'}
                  {...(index === 0 && { component: 'th' as const, scope: 'row' })}
                >
                  {cell}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
