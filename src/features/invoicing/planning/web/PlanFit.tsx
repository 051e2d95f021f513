// Plan fit: what the other plans of a subscription's family would have cost with its own usage, and a link to
// switch to one.
import { useQuery } from '@tanstack/react-query';
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
import { useState } from 'react';
import type { PlanCost, PlanFit as Fit } from '../contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { Money as Amount } from '#kernel/money.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { planningQueries } from './api.ts';
import { Bar } from './Bar.tsx';

export type PlanFitProps = {
  readonly subscriptionId: Id<'sub'>;
  /** Schedules the change to a plan; if left out, the plans are only shown. */
  readonly onChoose?: (serviceId: Id<'svc'>) => void;
};

export function PlanFit({ subscriptionId, onChoose }: PlanFitProps) {
  return (
    <QueryState query={useQuery(planningQueries.planFit({ subscriptionId }))}>
      {(fit) => (fit.plans.length === 0 ? null : <Plans fit={fit} onChoose={onChoose} />)}
    </QueryState>
  );
}

function Plans({ fit, onChoose }: { fit: Fit; onChoose: PlanFitProps['onChoose'] }) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const [isByMonth, setIsByMonth] = useState(false);
  const { months, current, plans } = fit;
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined)
    return (
      <Frame>
        <Typography variant="body2" color="textSecondary">
          {t('planning.fit_too_young')}
        </Typography>
      </Frame>
    );
  const period =
    first === last
      ? format.month(first)
      : t('planning.fit_period', { from: format.month(first), to: format.month(last) });
  const best = plans[0];
  const most = [current, ...plans].reduce(
    (max, plan) => (plan.total.minor > max ? plan.total.minor : max),
    0n,
  );
  return (
    <Frame>
      <Typography variant="body2">
        {best && best.savingPerMonth.minor > 0n
          ? t('planning.fit_saves', { plan: best.serviceName, amount: format.money(best.savingPerMonth) })
          : t('planning.fit_is_best')}
      </Typography>
      <Typography variant="caption" color="textSecondary">
        {t('planning.fit_lead', { period })}
      </Typography>
      <Box
        component="ul"
        aria-label={t('planning.fit')}
        sx={{
          listStyle: 'none',
          margin: 0,
          padding: 0,
          display: 'grid',
          border: '1px solid',
          borderColor: 'divider',
          borderRadius: '5px',
          '& > li + li': { borderTop: '1px solid', borderColor: 'divider' },
        }}
      >
        <PlanLine plan={current} most={most} isCurrent />
        {plans.map((plan) => (
          <PlanLine key={plan.serviceId} plan={plan} most={most} onChoose={onChoose} />
        ))}
      </Box>
      <Button
        size="small"
        aria-expanded={isByMonth}
        onClick={() => setIsByMonth(!isByMonth)}
        sx={{ alignSelf: 'flex-start' }}
      >
        {t(isByMonth ? 'planning.fit_hide_months' : 'planning.fit_show_months')}
      </Button>
      {isByMonth && <ByMonth fit={fit} />}
    </Frame>
  );
}

function Frame({ children }: { children: React.ReactNode }) {
  const { t } = useTranslation('planning');
  return (
    <Stack component="section" sx={{ gap: 1 }}>
      <Typography variant="h3">{t('planning.fit')}</Typography>
      {children}
    </Stack>
  );
}

function PlanLine({
  plan,
  most,
  isCurrent = false,
  onChoose,
}: {
  plan: PlanCost;
  most: bigint;
  isCurrent?: boolean;
  onChoose?: PlanFitProps['onChoose'];
}) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const { savingPerMonth: saving } = plan;
  const positive: Amount = { ...saving, minor: saving.minor < 0n ? -saving.minor : saving.minor };
  const words =
    saving.minor === 0n
      ? t('planning.fit_same')
      : t(saving.minor > 0n ? 'planning.fit_less' : 'planning.fit_more', { amount: format.money(positive) });
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gap: '6px 16px',
        padding: '10px 14px',
        alignItems: 'center',
        gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', sm: 'minmax(0, 1fr) auto 116px' },
      }}
    >
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap', minWidth: 0 }}>
        <Typography variant="body2" component="span" sx={{ fontWeight: 700, overflowWrap: 'anywhere' }}>
          {plan.serviceName}
        </Typography>
        {isCurrent && <StatusBadge tone="primary" icon={null} label={t('planning.fit_current')} />}
      </Stack>
      <Box sx={{ textAlign: 'end' }}>
        <Typography variant="body2" component="span">
          <Money amount={plan.total} strong />
        </Typography>
        {!isCurrent && (
          <Typography
            variant="caption"
            component="p"
            sx={{ color: saving.minor > 0n ? 'success.main' : 'text.secondary' }}
          >
            {words}
          </Typography>
        )}
      </Box>
      <Box sx={{ gridColumn: { xs: '1 / -1', sm: 'auto' }, justifySelf: 'end' }}>
        {onChoose && !isCurrent && (
          <Button
            size="small"
            variant={saving.minor > 0n ? 'contained' : 'outlined'}
            onClick={() => onChoose(plan.serviceId)}
            aria-label={t('planning.fit_choose_named', { plan: plan.serviceName })}
          >
            {t('planning.fit_choose')}
          </Button>
        )}
      </Box>
      <Box sx={{ gridColumn: '1 / -1' }}>
        <Bar part={plan.total.minor} whole={most} />
      </Box>
    </Box>
  );
}

function ByMonth({ fit: { months, unit, current, plans } }: { fit: Fit }) {
  const { t } = useTranslation('planning');
  const format = useFormat();
  const all = [current, ...plans];
  return (
    <TableContainer tabIndex={0} role="region" aria-label={t('planning.fit_months')}>
      <Table size="small" aria-label={t('planning.fit_months')} sx={{ minWidth: 220 + all.length * 110 }}>
        <TableHead>
          <TableRow>
            <TableCell>{t('planning.month')}</TableCell>
            <TableCell align="right">{t('planning.quantity')}</TableCell>
            {all.map((plan) => (
              <TableCell key={plan.serviceId} align="right">
                {plan.serviceName}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {months.map((month, index) => (
            <TableRow key={month}>
              <TableCell component="th" scope="row" sx={{ whiteSpace: 'nowrap' }}>
                {format.month(month)}
              </TableCell>
              <TableCell align="right" className="tabular">
                {format.quantity(current.monthly[index]?.quantity ?? '0', unit)}
              </TableCell>
              {all.map((plan) => (
                <TableCell key={plan.serviceId} align="right">
                  {plan.monthly[index] && <Money amount={plan.monthly[index].amount} />}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
