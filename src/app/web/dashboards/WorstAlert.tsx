// The most urgent problem: an overdue bill, or else the worst quota. Others are in their lists.
import { dueNext } from '#features/invoicing/billing/contract.ts';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { Link } from 'react-router';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { UserDashboard } from '../../console/contract.ts';

export function WorstAlert({ dashboard }: { dashboard: UserDashboard }) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const overdue = dashboard.openBills.find((bill) => bill.paymentStatus === 'overdue');
  if (overdue) {
    return (
      <Alert
        severity="error"
        action={
          <Button
            color="inherit"
            size="small"
            component={Link}
            to={`/billing/management?month=${overdue.month}`}
          >
            {t('user_dashboard.pay')}
          </Button>
        }
      >
        <NoWrap
          text={t('user_dashboard.overdue', {
            number: overdue.number,
            amount: format.money(dueNext(overdue)),
            date: overdue.instalment ? format.day(overdue.instalment.on) : format.date(overdue.dueAt),
          })}
        />
      </Alert>
    );
  }
  // The server sorts them, worst first.
  const [worst] = dashboard.quotas.items;
  if (!worst || worst.status === 'Normal') return null;
  return (
    <Alert
      severity={worst.status === 'Critical' ? 'error' : 'warning'}
      action={
        <Button color="inherit" size="small" component={Link} to="/billing/dashboard">
          {t('user_dashboard.show_quotas')}
        </Button>
      }
    >
      {t('user_dashboard.quota_at', {
        service: worst.serviceName,
        percent: format.percent(worst.percent / 100),
      })}
      {worst.runsOutOn !== null && t('user_dashboard.runs_out', { day: format.day(worst.runsOutOn) })}
    </Alert>
  );
}
