// The usage of a line by day, its sum, and whether the sum equals the billed quantity.
import CheckCircleOutlined from '~icons/ic/outline-check-circle';
import InfoOutlined from '~icons/ic/outline-info';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableFooter from '@mui/material/TableFooter';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import { decimal, decimalText, zero } from '#kernel/decimal.ts';
import type { LineExplanation } from '../contract.ts';
import { usagePaths } from '#features/metering/usage/contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Quantity } from '#platform/web/ui/Money.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';

export function LineDays({
  explained: { line, days, events, later, areDaysBilled },
  linksUsage,
}: {
  explained: LineExplanation;
  linksUsage: boolean;
}) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const sum = days.reduce((total, day) => total.plus(decimal(day.quantity)), zero);
  const addsUp = areDaysBilled && sum.eq(decimal(line.quantity));
  return (
    <section>
      <Typography variant="h3" sx={{ marginBottom: 0.5 }}>
        {t('billing.by_day')}
      </Typography>
      <DaysTable
        label={t('billing.by_day')}
        days={days}
        unit={line.unit}
        dayOf={(day) =>
          linksUsage ? (
            <Link
              component={RouterLink}
              to={`${usagePaths.statistics}?from=${day}&to=${day}&service=${line.subscriptionId}`}
              aria-label={t('billing.events_of', { day: format.dayTable(day) })}
            >
              {format.dayTable(day)}
            </Link>
          ) : (
            format.dayTable(day)
          )
        }
      >
        {addsUp && (
          <TableFooter
            sx={{
              '& tr > *': {
                borderTop: '1px solid',
                borderTopColor: 'text.secondary',
                color: 'text.primary',
                fontSize: '0.875rem',
                fontWeight: 700,
              },
            }}
          >
            <TableRow>
              <TableCell component="th" scope="row">
                {t('billing.sum')}
              </TableCell>
              <TableCell align="right" className="tabular">
                {format.number(events)}
              </TableCell>
              <TableCell align="right">
                <Quantity value={decimalText(sum)} unit={line.unit} />
              </TableCell>
            </TableRow>
          </TableFooter>
        )}
      </DaysTable>
      <Box
        sx={{
          display: 'flex',
          gap: 1,
          alignItems: 'flex-start',
          marginTop: 1,
          color: addsUp ? 'success.main' : 'text.secondary',
        }}
      >
        {addsUp ? (
          <CheckCircleOutlined aria-hidden sx={{ fontSize: 20 }} />
        ) : (
          <InfoOutlined aria-hidden sx={{ fontSize: 20 }} />
        )}
        <Typography variant="body2">
          {t(
            addsUp ? 'billing.days_add_up' : areDaysBilled ? 'billing.days_differ' : 'billing.days_of_today',
          )}
        </Typography>
      </Box>
      {later.length > 0 && <LaterDays later={later} unit={line.unit} />}
    </section>
  );
}

/** What has changed since the bill was issued, apart from what the line was computed from. */
function LaterDays({ later, unit }: { later: LineExplanation['later']; unit: string }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  return (
    <Box component="section" sx={{ marginTop: 3 }}>
      <Typography variant="h3" sx={{ marginBottom: 0.5 }}>
        {t('billing.later_days')}
      </Typography>
      <DaysTable label={t('billing.later_days')} days={later} unit={unit} dayOf={format.dayTable} />
      <Typography variant="body2" sx={{ marginTop: 1, color: 'text.secondary' }}>
        {t('billing.later_note')}
      </Typography>
    </Box>
  );
}

/** Events and quantity by day; `children` is the foot of the table. */
function DaysTable({
  label,
  days,
  unit,
  dayOf,
  children,
}: {
  label: string;
  days: LineExplanation['days'];
  unit: string;
  dayOf: (day: string) => ReactNode;
  children?: ReactNode;
}) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  return (
    <Table size="small" aria-label={label}>
      <TableHead>
        <TableRow>
          <TableCell>{t('billing.day')}</TableCell>
          <TableCell align="right">{t('billing.events')}</TableCell>
          <TableCell align="right">{t('billing.quantity')}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {days.map(({ day, events, quantity }) => (
          <TableRow key={day}>
            <TableCell component="th" scope="row" sx={{ fontWeight: 400 }}>
              {dayOf(day)}
            </TableCell>
            <TableCell align="right" className="tabular">
              {format.number(events)}
            </TableCell>
            <TableCell align="right">
              <Quantity value={quantity} unit={unit} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
      {children}
    </Table>
  );
}
