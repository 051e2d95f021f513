// Every cause of a bill's change with the affected services; the amounts add up to the whole difference.
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableFooter from '@mui/material/TableFooter';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { Fragment } from 'react';
import type { BillDetail } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';

export function ChangeCauses({ change }: { change: NonNullable<BillDetail['change']> }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  return (
    <TableContainer
      tabIndex={0}
      role="region"
      aria-label={t('billing.change_details')}
      sx={{ marginTop: 1, maxWidth: 640 }}
    >
      <Table size="small" aria-label={t('billing.change_details')}>
        <TableHead>
          <TableRow>
            <TableCell>{t('billing.change_reason')}</TableCell>
            <TableCell align="right">{t('billing.change_difference')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {/* used as: 'billing.cause_*' 'billing.cause_note_*' */}
          {change.causes.map(({ cause, difference, services, others }) => (
            <Fragment key={cause}>
              <TableRow>
                <TableCell
                  component="th"
                  scope="row"
                  sx={{
                    borderBottom: services.length > 0 ? 0 : undefined,
                    fontWeight: 700,
                    '&::first-letter': { textTransform: 'uppercase' },
                  }}
                  title={t(`billing.cause_note_${cause}`)}
                >
                  {t(`billing.cause_${cause}`)}
                </TableCell>
                <TableCell
                  align="right"
                  className="tabular"
                  sx={{ borderBottom: services.length > 0 ? 0 : undefined, fontWeight: 700 }}
                >
                  {format.moneyChange(difference)}
                </TableCell>
              </TableRow>
              {services.map((each) => (
                <ServiceRow
                  key={each.serviceName}
                  name={each.serviceName}
                  amount={format.moneyChange(each.difference)}
                />
              ))}
              {services.length > 0 && others.minor !== 0n && (
                <ServiceRow name={t('billing.change_others')} amount={format.moneyChange(others)} />
              )}
            </Fragment>
          ))}
        </TableBody>
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
              {t('billing.change_sum', { previous: format.money(change.previousTotal) })}
            </TableCell>
            <TableCell align="right" className="tabular">
              {format.moneyChange(change.difference)}
            </TableCell>
          </TableRow>
        </TableFooter>
      </Table>
    </TableContainer>
  );
}

function ServiceRow({ name, amount }: { name: string; amount: string }) {
  return (
    <TableRow>
      <TableCell
        sx={{ paddingInlineStart: '20px !important', color: 'text.secondary', overflowWrap: 'anywhere' }}
      >
        {name}
      </TableCell>
      <TableCell align="right" className="tabular" sx={{ color: 'text.secondary' }}>
        {amount}
      </TableCell>
    </TableRow>
  );
}
