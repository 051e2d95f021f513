// The rows of an import before it begins: what becomes of each, or what is wrong with it.
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
  /** Names the table. */
  readonly label: string;
  /** What its columns are called: the row's number, what it is about, what becomes of it. */
  readonly heads: readonly [row: string, name: string, outcome: string];
  readonly rows: readonly {
    readonly key: Key;
    readonly row: number;
    readonly name: ReactNode;
    readonly action: keyof typeof tones;
    /** The action in words. */
    readonly outcome: string;
    readonly problems: readonly string[];
  }[];
  /** Of all rows, where only the first of them are here. */
  readonly total?: number;
  /** In pixels; more rows are scrolled. */
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
        // On a phone the sentences of the last column would leave an address no room.
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
