// Everything that awaits an Admin; each entry links to the page where it is resolved.
import BackupOutlined from '~icons/ic/outline-backup';
import ChevronRightOutlined from '~icons/ic/outline-chevron-right';
import CloudOffOutlined from '~icons/ic/outline-cloud-off';
import CompareArrowsOutlined from '~icons/ic/outline-compare-arrows';
import CreditCardOffOutlined from '~icons/ic/outline-credit-card-off';
import DataUsageOutlined from '~icons/ic/outline-data-usage';
import ErrorOutlineOutlined from '~icons/ic/outline-error-outline';
import HowToRegOutlined from '~icons/ic/outline-how-to-reg';
import MoneyOffOutlined from '~icons/ic/outline-money-off';
import PaymentsOutlined from '~icons/ic/outline-payments';
import ShieldOutlined from '~icons/ic/outline-shield';
import StorageOutlined from '~icons/ic/outline-storage';
import TaskAltOutlined from '~icons/ic/outline-task-alt';
import WarningAmberOutlined from '~icons/ic/outline-warning-amber';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import { Link } from 'react-router';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Lines } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { AdminDashboard } from '../../console/contract.ts';
import { attentionOf, type Attention } from './attention.ts';

const monitoring = '/admin/monitoring';
const places: Record<Attention['kind'], string> = {
  disk: monitoring,
  outbox: monitoring,
  given_up: monitoring,
  jobs: monitoring,
  faults: monitoring,
  factor: '/admin/security',
  backup: '/admin/backups',
  parked: '/admin/billing',
  disputes: '/admin/payments',
  refused: '/admin/payments#refused-events',
  payments: '/admin/payments',
  approvals: '/admin/approvals',
  stopped: '/admin/organizations?metering=stopped',
  raises: '/admin/quotas',
  rejected: '/admin/rejected-events',
  connectors: '/admin/connectors',
  unbilled: '/admin/reconciliation?kind=unbilled',
  ghosts: '/admin/reconciliation?kind=ghost',
};
const icons = {
  disk: StorageOutlined,
  outbox: WarningAmberOutlined,
  given_up: WarningAmberOutlined,
  jobs: WarningAmberOutlined,
  faults: ErrorOutlineOutlined,
  factor: ShieldOutlined,
  backup: BackupOutlined,
  parked: WarningAmberOutlined,
  disputes: CreditCardOffOutlined,
  refused: CreditCardOffOutlined,
  payments: PaymentsOutlined,
  approvals: HowToRegOutlined,
  stopped: MoneyOffOutlined,
  raises: DataUsageOutlined,
  rejected: WarningAmberOutlined,
  connectors: CloudOffOutlined,
  unbilled: CompareArrowsOutlined,
  ghosts: CompareArrowsOutlined,
} as const;

/** Requests by people; all others are failures. */
const asks: ReadonlySet<Attention['kind']> = new Set(['payments', 'approvals', 'raises']);

/** The page that resolves it: a single item is opened directly; of several disputes, the one due first. */
function placeOf({ kind }: Attention, { disputes, stoppedCustomers }: AdminDashboard): string {
  if (kind === 'disputes' && disputes.paymentId) return `/admin/payments?payment=${disputes.paymentId}`;
  if (kind === 'stopped' && stoppedCustomers.count === 1 && stoppedCustomers.organizationId)
    return `/admin/organizations?organization=${stoppedCustomers.organizationId}`;
  return places[kind];
}

export function AdminAttention({
  dashboard,
  hasStepsAbove,
}: {
  dashboard: AdminDashboard | undefined;
  hasStepsAbove: boolean;
}) {
  const { t } = useTranslation('console');
  const items = dashboard && attentionOf(dashboard, hasStepsAbove);
  return (
    <Section
      title={
        items && items.length > 0
          ? t('admin_dashboard.attention_count', { count: items.length })
          : t('admin_dashboard.attention')
      }
      flush
    >
      {items === undefined && <Lines count={3} padded />}
      {items?.length === 0 && (
        <EmptyState
          compact
          icon={<TaskAltOutlined />}
          title={t('admin_dashboard.calm')}
          hint={t('admin_dashboard.calm_hint')}
        />
      )}
      {items && items.length > 0 && (
        <List disablePadding>
          {items.map((item) => (
            <Entry
              key={item.kind}
              item={item}
              place={dashboard ? placeOf(item, dashboard) : places[item.kind]}
            />
          ))}
        </List>
      )}
    </Section>
  );
}

function Entry({ item, place }: { item: Attention; place: string }) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const Icon = icons[item.kind];
  // used as: 'admin_dashboard.attention_*'
  const text =
    item.kind === 'disk'
      ? t('admin_dashboard.attention_disk', { percent: format.percent(item.percent / 100) })
      : t(`admin_dashboard.attention_${item.kind}`, { count: format.number(item.count) });
  return (
    <ListItem disablePadding sx={{ borderTop: '1px solid', borderColor: 'divider' }}>
      <ListItemButton
        component={Link}
        to={place}
        sx={{ borderRadius: 0, paddingInline: { xs: '16px', sm: '24px' }, paddingBlock: 1.25 }}
      >
        <ListItemIcon
          sx={{
            minWidth: 36,
            color: asks.has(item.kind) ? 'primary.main' : 'warning.main',
          }}
        >
          <Icon aria-hidden />
        </ListItemIcon>
        <ListItemText
          primary={text}
          secondary={t(`admin_dashboard.attention_${item.kind}_action`)}
          slotProps={{ primary: { variant: 'body2' }, secondary: { variant: 'caption' } }}
        />
        <ChevronRightOutlined aria-hidden />
      </ListItemButton>
    </ListItem>
  );
}
