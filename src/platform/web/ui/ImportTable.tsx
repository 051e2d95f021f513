// The rows of an import before it starts: the outcome for each, or what is wrong with it.
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import type { Key, ReactNode } from 'react';
import { useFormat } from '../format/use-format.ts';
import { StatusBadge } from './StatusBadge.tsx';

const tones = { create: 'success', update: 'info', unchanged: 'neutral', refused: 'error' } as const;

type ImportTableProps = {
  /** The table's accessible name. */
  readonly label: string;
  /** The column headings: the row's number, its name, its outcome. */
  readonly heads: readonly [row: string, name: string, outcome: string];
  readonly rows: readonly {
    readonly key: Key;
    readonly row: number;
    readonly name: ReactNode;
    readonly action: keyof typeof tones;
    /** A description of the action. */
    readonly outcome: string;
    readonly problems: readonly string[];
  }[];
  /** The number of all rows, if only the first ones are listed. */
  readonly total?: number;
  /** In pixels; more rows scroll. */
  readonly maxHeight: number;
};

export function ImportTable({ label, heads, rows, total, maxHeight }: ImportTableProps) {
  const format = useFormat();
  return (
    <TableContainer
      tabIndex={0}
      role="region"
      aria-label={label}
      sx={{ maxHeight, border: '1px solid', borderColor: 'divider', borderRadius: '5px' }}
    >
      <Table
        size="small"
        // On a phone, the sentences of the last column would leave no room for an address.
        sx={{ tableLayout: { xs: 'fixed', sm: 'auto' } }}
        stickyHeader
        aria-label={label}
        {...(total !== undefined && { 'aria-rowcount': total + 1 })}
      >
        <TableHead>
          <TableRow>
            <TableCell align="right" sx={{ width: { xs: 48, sm: 64 } }}>
              {heads[0]}
            </TableCell>
            <TableCell sx={{ width: { xs: '44%', sm: 'auto' } }}>{heads[1]}</TableCell>
            <TableCell>{heads[2]}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(({ key, row, name, action, outcome, problems }) => (
            <TableRow
              key={key}
              sx={{ '& > .MuiTableCell-root': { verticalAlign: 'top', paddingBlock: '8px' } }}
            >
              <TableCell align="right" className="tabular">
                {format.number(row)}
              </TableCell>
              <TableCell sx={{ overflowWrap: 'anywhere' }}>{name}</TableCell>
              <TableCell>
                <StatusBadge tone={tones[action]} label={outcome} />
                {problems.map((problem) => (
                  <Typography key={problem} variant="body2" sx={{ color: 'error.main', marginTop: '4px' }}>
                    {problem}
                  </Typography>
                ))}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
