// What a mapping would make of the source's latest complete window; readings that would wait come first.
import Alert from '@mui/material/Alert';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { DryRun } from '../contract.ts';
import { useFailureText } from './connector-words.ts';

export function Preview({ tried }: { tried: DryRun | undefined }) {
  const { t } = useTranslation('connectors');
  const format = useFormat();
  const failureText = useFailureText();
  if (!tried)
    return (
      <Typography variant="body2" color="textSecondary">
        {t('connectors.preview_lead')}
      </Typography>
    );
  if (tried.failure)
    return (
      <Alert severity="error" sx={{ overflowWrap: 'anywhere' }}>
        {failureText(tried.failure)}
      </Alert>
    );
  if (tried.rows.length === 0)
    return <Typography variant="body2">{t('connectors.preview_empty')}</Typography>;
  return (
    <>
      <Typography variant="body2" sx={{ marginBottom: 1 }} aria-live="polite">
        {t('connectors.preview_figures', {
          resources: format.number(tried.resources),
          unmapped: format.number(tried.unmapped),
        })}
      </Typography>
      <TableContainer role="region" aria-label={t('connectors.resources')} tabIndex={0}>
        <Table size="small">
          <TableHead>
            <TableRow>
              <TableCell>{t('connectors.resource')}</TableCell>
              <TableCell>{t('connectors.subscription')}</TableCell>
              <TableCell align="right">{t('connectors.quantity')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {tried.rows.map((row, place) => (
              // A resource may have several readings in a window.
              <TableRow key={`${row.resource} ${place}`}>
                <TableCell sx={{ overflowWrap: 'anywhere' }}>{row.resource}</TableCell>
                <TableCell>
                  {row.subscription && `${row.subscription.organization} · ${row.subscription.name}`}
                  {/* used as: 'connectors.reason_*' */}
                  {row.reason && <StatusBadge tone="warning" label={t(`connectors.reason_${row.reason}`)} />}
                </TableCell>
                <TableCell align="right">
                  {row.events.map(({ eventType, quantity }) => (
                    <div key={eventType}>{`${format.number(quantity)} ${eventType}`}</div>
                  ))}
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
    </>
  );
}
