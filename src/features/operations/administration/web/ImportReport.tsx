// The created and existing records of an import, and its rejected rows with reasons.
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import type { FocusImport } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';

const nouns = ['organizations', 'services', 'priceVersions', 'subscriptions', 'events'] as const;
type Report = FocusImport['report'];

export function ImportReport({ report, isDone }: { report: Report; isDone: boolean }) {
  const { t } = useTranslation('administration');
  const format = useFormat();
  return (
    <>
      <Box component="section">
        <Typography variant="h3" component="h3" sx={{ marginBottom: 1 }}>
          {t('administration.report_made')}
        </Typography>
        <Table size="small" aria-label={t('administration.report_made')}>
          <TableHead>
            <TableRow>
              <TableCell>{t('administration.report_what')}</TableCell>
              <TableCell align="right">{t('administration.report_created')}</TableCell>
              <TableCell align="right">{t('administration.report_existing')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {/* used as: 'administration.report_noun_*' */}
            {nouns.map((noun) => (
              <TableRow key={noun}>
                <TableCell component="th" scope="row" sx={{ fontWeight: 400 }}>
                  {t(`administration.report_noun_${noun}`)}
                </TableCell>
                <TableCell align="right">{format.number(report[noun].created)}</TableCell>
                <TableCell align="right">{format.number(report[noun].existing)}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Box>
      {/* Until the end, nobody knows that every row was imported. */}
      {(isDone || report.refusedTotal > 0) && <Refused report={report} />}
    </>
  );
}

function Refused({ report }: { report: Report }) {
  const { t } = useTranslation('administration');
  const format = useFormat();
  const { refused, refusedTotal } = report;
  return (
    <Box component="section">
      <Typography variant="h3" component="h3">
        {t('administration.report_refused', { count: format.number(refusedTotal) })}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 1 }}>
        {t(refusedTotal === 0 ? 'administration.report_refused_none' : 'administration.report_refused_lead')}
      </Typography>
      {refused.length > 0 && (
        <Box sx={{ border: '1px solid', borderColor: 'divider', borderRadius: '5px' }}>
          <PlainTable
            label={t('administration.report_refused_rows')}
            heads={[
              t('administration.report_row'),
              t('administration.report_row_id'),
              t('administration.report_reason'),
              t('administration.list_cost'),
            ]}
            words={3}
            isNamed={false}
            wraps
            rows={refused.map((row) => ({
              key: String(row.row),
              cells: [
                format.number(row.row),
                row.rowId,
                row.message,
                row.listCost === null ? '–' : format.number(row.listCost),
              ],
            }))}
          />
        </Box>
      )}
      {refusedTotal > refused.length && (
        <Typography variant="caption" color="textSecondary">
          {t('administration.report_refused_cut', { count: format.number(refused.length) })}
        </Typography>
      )}
    </Box>
  );
}
