// The preview of a month close: what it would issue, compared with the previous month, and the bills to check
// first.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { BillingMonth } from '#kernel/shape.ts';
import type { CloseRun, ClosePreview as Preview } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { Money, Moment } from '#platform/web/ui/Money.tsx';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { billingApi, billingKey, billingQueries } from './api.ts';
import { FailedOrganizations } from './CloseRuns.tsx';

/** The polling interval while a preview runs, in case a live update gets lost. */
const progressMs = 2000;

export function ClosePreview({ month }: { month: BillingMonth }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const preview = useCall(billingApi.previewClose, { invalidates: [billingKey('getPreview')] });
  const query = useQuery({
    ...billingQueries.getPreview({ month }),
    refetchInterval: ({ state }) =>
      preview.isPending || state.data?.run?.state === 'running' ? progressMs : false,
  });
  const isRunning = preview.isPending || query.data?.run?.state === 'running';
  return (
    <Section
      title={t('billing.preview_title', { month: format.month(month) })}
      lead={t('billing.preview_lead')}
      actions={
        <Button variant="outlined" loading={isRunning} onClick={() => preview.mutate({ month })}>
          {t(query.data?.run ? 'billing.preview_again' : 'billing.preview_button')}
        </Button>
      }
    >
      <QueryState query={query} skeleton={<Lines count={4} />}>
        {({ run, preview: found }) =>
          (run || found) && (
            <Stack sx={{ gap: 2 }}>
              {run && <RunLine run={run} />}
              {found && <PreviewResult preview={found} />}
            </Stack>
          )
        }
      </QueryState>
    </Section>
  );
}

/** When the preview was made, or its progress. */
function RunLine({ run }: { run: CloseRun }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const stop = useCall(billingApi.stopCloseRun, { invalidates: [billingKey('getPreview')] });
  if (run.state === 'running') {
    return (
      <Stack direction="row" sx={{ gap: 2, alignItems: 'center' }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <ProgressBar
            label={t('billing.preview_running')}
            ratio={run.organizationsTotal === 0 ? undefined : run.organizationsDone / run.organizationsTotal}
            note={t('billing.run_organizations', {
              done: format.number(run.organizationsDone),
              total: format.number(run.organizationsTotal),
            })}
          />
        </Box>
        <Button size="small" loading={stop.isPending} onClick={() => stop.mutate({ runId: run.id })}>
          {t('billing.run_stop')}
        </Button>
      </Stack>
    );
  }
  if (run.state !== 'done')
    return (
      <Typography variant="body2" color="textSecondary">
        {t(run.state === 'stopped' ? 'billing.run_stopped' : 'billing.run_interrupted')}
      </Typography>
    );
  return (
    <Typography variant="body2" color="textSecondary">
      {t('billing.preview_of')} <Moment at={run.startedAt} as="dateTime" />
    </Typography>
  );
}

function PreviewResult({ preview: { totals, standOuts, failing } }: { preview: Preview }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  if (totals.length === 0 && failing.length === 0)
    return <Typography variant="body2">{t('billing.preview_nothing')}</Typography>;
  return (
    <>
      {totals.length > 0 && <Totals totals={totals} />}
      {failing.length > 0 && (
        <Alert severity="warning">
          {t('billing.preview_failing', { count: format.number(failing.length) })}
          <FailedOrganizations failed={failing} />
        </Alert>
      )}
      {standOuts.length > 0 && (
        <section>
          <Typography variant="h3" sx={{ marginBottom: 1 }}>
            {t('billing.preview_stand_outs')}
          </Typography>
          <Box
            sx={{
              display: 'grid',
              gap: '16px 32px',
              gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 320px), 1fr))',
            }}
          >
            {standOuts.map((group) => (
              <BillsToReview key={`${group.currency} ${group.kind}`} group={group} />
            ))}
          </Box>
        </section>
      )}
    </>
  );
}

function Totals({ totals }: Pick<Preview, 'totals'>) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  return (
    <TableContainer tabIndex={0} role="region" aria-label={t('billing.preview_totals')}>
      <Table size="small" aria-label={t('billing.preview_totals')}>
        <TableHead>
          <TableRow>
            <TableCell>{t('billing.preview_bills')}</TableCell>
            <TableCell align="right">{t('billing.net')}</TableCell>
            <TableCell align="right">{t('billing.preview_tax')}</TableCell>
            <TableCell align="right">{t('billing.total')}</TableCell>
            <TableCell align="right">{t('billing.preview_before')}</TableCell>
            <TableCell align="right">{t('billing.change_difference')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {totals.map((sums) => (
            <TableRow key={sums.currency}>
              <TableCell component="th" scope="row" sx={{ fontWeight: 400, whiteSpace: 'nowrap' }}>
                {t('billing.preview_bills_now', {
                  currency: sums.currency,
                  count: format.number(sums.bills),
                  before: format.number(sums.previousBills),
                })}
              </TableCell>
              <TableCell align="right">
                <Money amount={sums.net} />
              </TableCell>
              <TableCell align="right">
                <Money amount={sums.tax} />
              </TableCell>
              <TableCell align="right">
                <Money amount={sums.total} strong />
              </TableCell>
              <TableCell align="right">
                <Money amount={sums.previousTotal} />
              </TableCell>
              <TableCell align="right" className="tabular">
                {format.moneyChange(sums.difference)}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

function BillsToReview({ group: { kind, currency, count, bills } }: { group: Preview['standOuts'][number] }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  // used as: 'billing.stand_out_*'
  const title = t(`billing.stand_out_${kind}`, { count: format.number(count), currency });
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography variant="body2" sx={{ fontWeight: 700 }}>
        {title}
      </Typography>
      <Box
        component="ul"
        aria-label={title}
        sx={{ listStyle: 'none', margin: 0, padding: 0, fontSize: '0.875rem' }}
      >
        {bills.map((bill) => (
          <Stack
            component="li"
            key={bill.organizationId}
            direction="row"
            sx={{
              gap: 2,
              justifyContent: 'space-between',
              paddingBlock: '4px',
              borderBottom: '1px solid',
              borderBottomColor: 'divider',
            }}
          >
            <Box component="span" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              {bill.organization}
            </Box>
            <Box component="span" className="tabular" sx={{ whiteSpace: 'nowrap' }}>
              {bill.previousTotal && (
                <Box component="span" sx={{ color: 'text.secondary' }}>
                  {format.money(bill.previousTotal)} →{' '}
                </Box>
              )}
              {bill.total ? format.money(bill.total) : t('billing.preview_none')}
            </Box>
          </Stack>
        ))}
        {count > bills.length && (
          <Box component="li" sx={{ paddingBlock: '4px', color: 'text.secondary' }}>
            {t('billing.preview_more', { count: format.number(count - bills.length) })}
          </Box>
        )}
      </Box>
    </Box>
  );
}
