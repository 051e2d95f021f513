// The latest month closes: their progress, the issued bills, and the organizations that failed, with reasons.
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
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Fragment, useState } from 'react';
import type { CloseRun } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { ProgressBar } from '#platform/web/ui/ProgressBar.tsx';
import { Lines, QueryState, type QueryStateProps } from '#platform/web/ui/QueryState.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { billingApi, billingKey } from './api.ts';

/** As many as fit beside the form; the rest can be expanded. */
const shownAtFirst = 4;

export function CloseRuns({ query }: { query: QueryStateProps<{ items: readonly CloseRun[] }>['query'] }) {
  const { t } = useTranslation('billing');
  const [isWhole, setIsWhole] = useState(false);
  return (
    <QueryState query={query} skeleton={<Lines count={5} padded />}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState compact title={t('billing.runs_empty')} hint={t('billing.runs_empty_hint')} />
        ) : (
          <>
            <Runs
              runs={(isWhole ? items : items.slice(0, shownAtFirst)).map((run) => ({
                ...run,
                isNewest: items.find((other) => other.month === run.month) === run,
              }))}
            />
            {items.length > shownAtFirst && (
              <Button
                sx={{ margin: '8px 16px' }}
                onClick={() => setIsWhole(!isWhole)}
                aria-expanded={isWhole}
              >
                {t(isWhole ? 'billing.runs_fewer' : 'billing.runs_all', { count: items.length })}
              </Button>
            )}
          </>
        )
      }
    </QueryState>
  );
}

const edges = {
  '& tr > :first-child': { paddingInlineStart: { sm: '24px' } },
  '& tr > :last-child': { paddingInlineEnd: { sm: '24px' } },
  '& .MuiTableCell-alignRight + :not(.MuiTableCell-alignRight)': { paddingInlineStart: '40px' },
} as const;

/**
 * The list of failed organizations is the month's current one, regardless of the close in which they failed,
 * so only the newest run shows it.
 */
type Run = CloseRun & { readonly isNewest: boolean };

function Runs({ runs }: { runs: readonly Run[] }) {
  const theme = useTheme();
  return useMediaQuery(theme.breakpoints.down('sm')) ? <RunCards runs={runs} /> : <RunTable runs={runs} />;
}

/** On phones, like every list. */
function RunCards({ runs }: { runs: readonly Run[] }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  return (
    <Stack
      component="ul"
      aria-label={t('billing.runs_title')}
      sx={{ listStyle: 'none', margin: 0, padding: 0 }}
    >
      {runs.map((run) => (
        <Stack
          component="li"
          key={run.id}
          sx={{ gap: 1, padding: '12px 16px', '& + &': { borderTop: '1px solid', borderColor: 'divider' } }}
        >
          <Typography variant="subtitle1" component="h3">
            {format.month(run.month)}
          </Typography>
          <Box>
            <RunState run={run} />
          </Box>
          <Facts
            items={[
              [t('billing.run_issued'), format.number(run.issued)],
              [t('billing.run_skipped'), format.number(run.skipped)],
              ...(run.isNewest ? [[t('billing.run_parked'), format.number(run.parked.length)] as const] : []),
              [t('billing.run_started'), <Moment key="at" at={run.startedAt} as="dateTime" />],
            ]}
          />
          {run.isNewest && run.parked.length > 0 && (
            <Box
              sx={{
                padding: '8px 12px',
                borderRadius: '5px',
                bgcolor: 'warning.soft',
                color: 'warning.softText',
              }}
            >
              <FailedOrganizations failed={run.parked} />
            </Box>
          )}
        </Stack>
      ))}
    </Stack>
  );
}

function RunTable({ runs }: { runs: readonly Run[] }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  return (
    <TableContainer tabIndex={0} role="region" aria-label={t('billing.runs_title')} sx={edges}>
      <Table aria-label={t('billing.runs_title')}>
        <TableHead>
          <TableRow>
            <TableCell>{t('billing.month')}</TableCell>
            <TableCell>{t('billing.run_state')}</TableCell>
            <TableCell align="right">{t('billing.run_issued')}</TableCell>
            <TableCell align="right">{t('billing.run_skipped')}</TableCell>
            <TableCell align="right">{t('billing.run_parked')}</TableCell>
            <TableCell>{t('billing.run_started')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {runs.map((run) => (
            <Fragment key={run.id}>
              <TableRow>
                <TableCell component="th" scope="row" sx={{ whiteSpace: 'nowrap', fontWeight: 400 }}>
                  {format.month(run.month)}
                </TableCell>
                <TableCell sx={{ minWidth: 160 }}>
                  <RunState run={run} />
                </TableCell>
                <TableCell align="right">{format.number(run.issued)}</TableCell>
                <TableCell align="right">{format.number(run.skipped)}</TableCell>
                <TableCell
                  align="right"
                  sx={
                    run.isNewest && run.parked.length > 0
                      ? { color: 'warning.main', fontWeight: 700 }
                      : undefined
                  }
                >
                  {run.isNewest ? format.number(run.parked.length) : '–'}
                </TableCell>
                <TableCell sx={{ whiteSpace: 'nowrap' }}>
                  <Moment at={run.startedAt} as="dateTime" />
                </TableCell>
              </TableRow>
              {run.isNewest && run.parked.length > 0 && (
                <TableRow>
                  <TableCell
                    colSpan={6}
                    sx={{ paddingBlock: '8px', bgcolor: 'warning.soft', color: 'warning.softText' }}
                  >
                    <Box
                      sx={{
                        position: 'sticky',
                        insetInlineStart: 16,
                        width: 'fit-content',
                        maxWidth: 'calc(100vw - 64px)',
                      }}
                    >
                      <FailedOrganizations failed={run.parked} />
                    </Box>
                  </TableCell>
                </TableRow>
              )}
            </Fragment>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

function RunState({ run }: { run: CloseRun }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const stop = useCall(billingApi.stopCloseRun, { invalidates: [billingKey('listCloseRuns')] });
  if (run.state === 'done') return <StatusBadge tone="success" label={t('billing.run_done')} />;
  if (run.state !== 'running')
    return (
      <StatusBadge
        tone="warning"
        label={t(run.state === 'stopped' ? 'billing.run_stopped' : 'billing.run_interrupted')}
      />
    );
  return (
    <Box sx={{ paddingBlock: '6px' }}>
      <Button
        size="small"
        loading={stop.isPending}
        onClick={() => stop.mutate({ runId: run.id })}
        sx={{ float: 'inline-end', marginInlineStart: 1 }}
      >
        {t('billing.run_stop')}
      </Button>
      <ProgressBar
        label={t('billing.run_running')}
        ratio={run.organizationsTotal === 0 ? undefined : run.organizationsDone / run.organizationsTotal}
        note={t('billing.run_organizations', {
          done: format.number(run.organizationsDone),
          total: format.number(run.organizationsTotal),
        })}
      />
    </Box>
  );
}

const maxFailedShown = 20;

/** Organizations that could not be billed, each with the reason. */
export function FailedOrganizations({ failed }: { failed: CloseRun['parked'] }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  return (
    <Box
      component="ul"
      aria-label={t('billing.run_parked')}
      sx={{ margin: '4px 0 0', paddingInlineStart: '20px' }}
    >
      {failed.slice(0, maxFailedShown).map((one) => (
        <li key={one.organizationId}>
          {t('billing.parked_one', { organization: one.organization, reason: one.reason })}
        </li>
      ))}
      {failed.length > maxFailedShown && (
        <li>{t('billing.parked_more', { count: format.number(failed.length - maxFailedShown) })}</li>
      )}
    </Box>
  );
}
