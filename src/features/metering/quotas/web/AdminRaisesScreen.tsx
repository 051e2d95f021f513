// The Admin's list of requests for higher quotas: open requests first, then all requests with their outcome.
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { raiseStates, type AdminRaise } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment, Quantity } from '#platform/web/ui/Money.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { quotasKey, quotasQueries } from './api.ts';
import { OpenRaises } from './OpenRaises.tsx';
import { RaiseState } from './RaiseState.tsx';

export function AdminRaisesScreen() {
  const { t } = useTranslation('quotas');
  useLive('billing', [quotasKey('adminListRaises')]);
  return (
    <Page title={t('quotas.admin_title')} lead={t('quotas.admin_lead')}>
      <OpenRaises />
      <AllRaises />
    </Page>
  );
}

function AllRaises() {
  const { t } = useTranslation('quotas');
  const state = useTableState({ filters: { state: raiseStates } });
  const { limit, cursor, state: wanted } = state.query;
  const query = usePagedQuery(
    quotasQueries.adminListRaises({ limit, ...(cursor && { cursor }), ...(wanted && { state: wanted }) }),
  );
  const columns: readonly Column<AdminRaise>[] = [
    {
      key: 'organization',
      label: t('quotas.organization'),
      card: 'title',
      render: (raise) => raise.organization,
    },
    { key: 'service', label: t('quotas.service'), render: (raise) => raise.serviceName },
    {
      key: 'askedAt',
      label: t('quotas.asked_at'),
      width: 116,
      render: (raise) => <Moment at={raise.askedAt} />,
    },
    { key: 'state', label: t('quotas.raise_state'), render: (raise) => <RaiseState state={raise.state} /> },
    { key: 'reason', label: t('quotas.raise_reason'), show: 'wide', render: (raise) => raise.reason },
    { key: 'answer', label: t('quotas.answer'), show: 'wide', render: (raise) => raise.answer || '–' },
    {
      key: 'decidedBy',
      label: t('quotas.decided_by'),
      show: 'wide',
      render: (raise) => raise.decidedBy ?? '–',
    },
    {
      key: 'limit',
      label: t('quotas.asked_limit'),
      align: 'right',
      render: (raise) => <Quantity value={raise.limit} unit={raise.unit} />,
    },
    {
      key: 'grantedLimit',
      label: t('quotas.granted_limit'),
      align: 'right',
      render: (raise) =>
        raise.grantedLimit === null ? '–' : <Quantity value={raise.grantedLimit} unit={raise.unit} />,
    },
  ];
  return (
    <DataTable
      list="quota-raises"
      title={t('quotas.admin_all')}
      label={t('quotas.admin_all')}
      columns={columns}
      query={query}
      state={state}
      rowKey={(raise) => raise.id}
      rowName={(raise) => raise.organization}
      // used as: 'quotas.raise_state_*'
      filters={{
        state: {
          label: t('quotas.raise_state'),
          options: raiseStates.map((one) => ({ value: one, label: t(`quotas.raise_state_${one}`) })),
        },
      }}
      empty={<EmptyState title={t('quotas.all_empty')} hint={t('quotas.all_empty_hint')} />}
    />
  );
}
