// The rows of an import: the planned action and the mistakes of each.
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { ServiceImport } from '../contract.ts';

type Row = ServiceImport['rows'][number];
const tones: Record<Row['action'], BadgeTone> = {
  create: 'success',
  update: 'info',
  unchanged: 'neutral',
  refused: 'error',
};
/** A longer list would not be read; the counts above cover all rows. */
const most = 200;
const order: readonly Row['action'][] = ['refused', 'update', 'create', 'unchanged'];

/** Rows with mistakes first, then changes. */
export function ImportRows({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const shown = rows
    .toSorted((a, b) => order.indexOf(a.action) - order.indexOf(b.action) || a.row - b.row)
    .slice(0, most);
  return (
    <Box>
      <TableContainer
        tabIndex={0}
        role="region"
        aria-label={t('catalogue.import_rows')}
        sx={{ maxHeight: 360, border: '1px solid', borderColor: 'divider', borderRadius: '5px' }}
      >
        <Table
          size="small"
          // On a phone the sentences of the last column would leave an address no room.
          sx={{ tableLayout: { xs: 'fixed', sm: 'auto' } }}
          stickyHeader
          aria-label={t('catalogue.import_rows')}
        >
          <TableHead>
            <TableRow>
              <TableCell align="right" sx={{ width: { xs: 48, sm: 64 } }}>
                {t('catalogue.import_row')}
              </TableCell>
              <TableCell sx={{ width: { xs: '44%', sm: 'auto' } }}>{t('catalogue.name')}</TableCell>
              <TableCell>{t('catalogue.import_result')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {shown.map((row) => (
              <TableRow
                key={row.row}
                sx={{ '& > .MuiTableCell-root': { verticalAlign: 'top', paddingBlock: '8px' } }}
              >
                <TableCell align="right" className="tabular">
                  {format.number(row.row)}
                </TableCell>
                <TableCell sx={{ overflowWrap: 'anywhere' }}>{row.name}</TableCell>
                <TableCell>
                  {/* used as: 'catalogue.import_action_*' */}
                  <StatusBadge
                    tone={tones[row.action]}
                    label={t(
                      row.action === 'update' && row.newPrice
                        ? 'catalogue.import_new_price'
                        : `catalogue.import_action_${row.action}`,
                    )}
                  />
                  {row.errors.map((error) => (
                    <Typography
                      key={`${error.column} ${error.code}`}
                      variant="body2"
                      sx={{ color: 'error.main', marginTop: '4px' }}
                    >
                      {error.column === '' || error.message.includes(error.column)
                        ? error.message
                        : t('catalogue.with_name', { name: error.column, value: error.message })}
                    </Typography>
                  ))}
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
      {rows.length > most && (
        <Typography variant="caption" color="textSecondary">
          {t('catalogue.import_rows_more', { shown: format.number(most), total: format.number(rows.length) })}
        </Typography>
      )}
    </Box>
  );
}
