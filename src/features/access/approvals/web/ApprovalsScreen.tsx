// Approvals: requests that await a second Admin, past requests, and which actions require approval.
import Alert from '@mui/material/Alert';
import { useQuery } from '@tanstack/react-query';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { FullTable } from '#platform/web/ui/FullTable.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { Approval } from '../contract.ts';
import { approvalsKey, approvalsQueries } from './api.ts';
import { ApprovalPanel } from './ApprovalPanel.tsx';
import { ApprovalState } from './ApprovalState.tsx';
import { ApprovalSettingsSection } from './ApprovalSettings.tsx';

/** In practice, there are never more waiting requests; the rest is shown once these are decided. */
const shownWaiting = 100;

export function ApprovalsScreen() {
  const { t } = useTranslation('approvals');
  const format = useFormat();
  const [open, setOpen] = useParam('approval');
  useLive('approvals', [approvalsKey()]);
  const waiting = useQuery(approvalsQueries.listApprovals({ only: 'waiting', limit: shownWaiting }));
  const settings = useQuery(approvalsQueries.getApprovalSettings());
  const state = useTableState({ filters: {} });
  const ended = usePagedQuery(
    approvalsQueries.listApprovals({
      only: 'ended',
      limit: state.query.limit,
      ...(state.query.cursor !== undefined && { cursor: state.query.cursor }),
    }),
  );
  const common = {
    columns: useColumns(),
    rowKey: ({ id }: Approval) => id,
    rowName: ({ title }: Approval) => title,
    rowDetail: ({ subject, requestedAt }: Approval) =>
      `${subject ?? ''} ${format.dateTimeTable(requestedAt)}`.trim(),
    onRowClick: ({ id }: Approval) => setOpen(id),
  };
  const isStuck = settings.data && settings.data.chosen.length > 0 && settings.data.approvers < 2;
  return (
    <Page title={t('approvals.title')} lead={t('approvals.lead')}>
      {isStuck && <Alert severity="warning">{t('approvals.one_approver')}</Alert>}
      <FullTable
        title={t('approvals.waiting')}
        query={waiting}
        empty={<EmptyState compact title={t('approvals.none_waiting')} />}
        {...common}
      />
      <DataTable
        list="approvals"
        title={t('approvals.history')}
        label={t('approvals.history')}
        query={ended}
        state={state}
        empty={<EmptyState compact title={t('approvals.none_ended')} />}
        {...common}
      />
      <ApprovalSettingsSection query={settings} />
      <ApprovalPanel approvalId={open} onClose={() => setOpen(undefined)} />
    </Page>
  );
}

function useColumns(): readonly Column<Approval>[] {
  const { t } = useTranslation('approvals');
  return [
    { key: 'title', label: t('approvals.action'), card: 'title', render: ({ title }) => title },
    { key: 'subject', label: t('approvals.subject'), render: ({ subject }) => subject ?? '–' },
    { key: 'requestedBy', label: t('approvals.requested_by'), render: ({ requestedBy }) => requestedBy.name },
    {
      key: 'requestedAt',
      label: t('approvals.requested_at'),
      render: ({ requestedAt }) => <Moment at={requestedAt} as="dateTime" />,
    },
    {
      key: 'state',
      label: t('approvals.status'),
      render: ({ state }) => <ApprovalState state={state} />,
    },
  ];
}
