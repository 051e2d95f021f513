// A rehearsal by month.
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { Rehearsal } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';

export function RehearsalMonths({ rehearsal: { byMonth } }: { rehearsal: Rehearsal }) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  return (
    <TableContainer
      tabIndex={0}
      role="region"
      aria-label={t('planning.by_month')}
      sx={{ bgcolor: 'background.paper', border: '1px solid', borderColor: 'divider', borderRadius: '5px' }}
    >
      <Table size="small" aria-label={t('planning.by_month')}>
        <TableHead>
          <TableRow>
            <TableCell>{t('planning.month')}</TableCell>
            <TableCell align="right">{t('planning.before')}</TableCell>
            <TableCell align="right">{t('planning.after')}</TableCell>
            <TableCell align="right">{t('planning.difference')}</TableCell>
            <TableCell align="right">{t('planning.more_less')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {byMonth.map(({ month, before, after, difference, counts }) => (
            <TableRow key={month}>
              <TableCell component="th" scope="row" sx={{ whiteSpace: 'nowrap' }}>
                {format.month(month)}
              </TableCell>
              <TableCell align="right">
                <Money amount={before} />
              </TableCell>
              <TableCell align="right">
                <Money amount={after} />
              </TableCell>
              <TableCell align="right" className="tabular" sx={{ whiteSpace: 'nowrap' }}>
                {format.moneyChange(difference)}
              </TableCell>
              <TableCell align="right" className="tabular" sx={{ whiteSpace: 'nowrap' }}>
                {t('planning.more_less_counts', {
                  more: format.number(counts.more),
                  less: format.number(counts.less),
                })}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
