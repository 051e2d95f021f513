// A small table of figures: rows on wide screens, cards on phones; the first cell names the row.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';

export type FigureRow = { readonly key: string; readonly cells: readonly ReactNode[] };
/** `texts`: the number of columns after the first that contain text instead of figures. */
export type FigureTableProps = {
  readonly label: string;
  readonly heads: readonly string[];
  readonly rows: readonly FigureRow[];
  readonly texts?: number;
};

export function FigureTable({ label, heads, rows, texts = 0 }: FigureTableProps) {
  const theme = useTheme();
  const isPhone = useMediaQuery(theme.breakpoints.down('sm'));
  if (isPhone) return <Cards label={label} heads={heads} rows={rows} />;
  const align = (index: number) => (index <= texts ? 'left' : 'right');
  return (
    <TableContainer
      tabIndex={0}
      role="region"
      aria-label={label}
      sx={{
        position: 'relative',
        maxHeight: 520,
        '& tr > :first-child': { paddingInlineStart: '24px' },
        '& tr > :last-child': { paddingInlineEnd: '24px' },
      }}
    >
      <Table aria-label={label} stickyHeader>
        <TableHead>
          <TableRow>
            {heads.map((head, index) => (
              <TableCell key={head} align={align(index)}>
                {head}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody sx={{ '& td, & th': { paddingBlock: '8px' } }}>
          {rows.map((row) => (
            <TableRow key={row.key} hover>
              {row.cells.map((cell, index) => (
                <TableCell
                  key={heads[index] ?? index}
                  align={align(index)}
                  className="tabular"
                  {...(index === 0 && { component: 'th' as const, scope: 'row' })}
                  sx={index === 0 ? { fontWeight: 400, minWidth: 180 } : {}}
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

/** On a phone, showing all rows of a month would take many screens. */
const cardsAtFirst = 5;

function Cards({ label, heads, rows }: FigureTableProps) {
  const { t } = useTranslation('insights');
  const format = useFormat();
  const [isWhole, setIsWhole] = useState(false);
  return (
    <>
      <Box component="ul" aria-label={label} sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {(isWhole ? rows : rows.slice(0, cardsAtFirst)).map((row) => (
          <Box
            component="li"
            key={row.key}
            sx={{ padding: '12px 16px', borderTop: '1px solid', borderColor: 'divider' }}
          >
            {row.cells[0]}
            <Box
              component="dl"
              sx={{
                display: 'grid',
                gridTemplateColumns: 'minmax(88px, 35%) minmax(0, 1fr)',
                gap: '4px 12px',
                margin: '4px 0 0',
                fontSize: '0.875rem',
                lineHeight: 22 / 14,
                '& dt': { color: 'text.secondary' },
                '& dd': { margin: 0, minWidth: 0, overflowWrap: 'anywhere' },
              }}
            >
              {row.cells.map((cell, index) =>
                // A dash fills the cell of a table; a card leaves the line out.
                index === 0 || cell === '–' ? null : (
                  <Box key={heads[index] ?? index} sx={{ display: 'contents' }}>
                    <dt>{heads[index]}</dt>
                    <dd className="tabular">{cell}</dd>
                  </Box>
                ),
              )}
            </Box>
          </Box>
        ))}
      </Box>
      {rows.length > cardsAtFirst && (
        <Button sx={{ margin: '8px' }} onClick={() => setIsWhole(!isWhole)} aria-expanded={isWhole}>
          {t(isWhole ? 'insights.rows_fewer' : 'insights.rows_all', { count: format.number(rows.length) })}
        </Button>
      )}
    </>
  );
}
