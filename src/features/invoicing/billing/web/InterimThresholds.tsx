// From which amounts of unbilled usage interim bills are issued, with the buttons that set and remove them.
import AddOutlined from '~icons/ic/outline-add';
import Button from '@mui/material/Button';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { InterimThreshold } from '../contract-interim.ts';
import { billingApi, billingKey, billingQueries } from './api.ts';
import { ThresholdDialog } from './ThresholdDialog.tsx';

export function InterimThresholds() {
  const { t } = useTranslation('billing');
  const [editing, setEditing] = useState<InterimThreshold | 'new'>();
  const [removing, setRemoving] = useState<InterimThreshold>();
  const state = useTableState({ sort: 'organization', prefix: 'interim-' });
  const query = useQuery({
    ...billingQueries.listInterimThresholds(state.query),
    placeholderData: keepPreviousData,
  });
  const nameOf = ({ organization }: InterimThreshold): string =>
    organization ?? t('billing.interim_everyone');
  const remove = useCall(billingApi.removeInterimThreshold, {
    invalidates: [billingKey('listInterimThresholds')],
    onSuccess: () => toast.success(t('billing.interim_removed')),
  });
  return (
    <>
      <DataTable
        list="interim-thresholds"
        label={t('billing.interim_title')}
        title={t('billing.interim_title')}
        lead={t('billing.interim_lead')}
        actions={
          <Button
            variant="outlined"
            startIcon={<AddOutlined />}
            aria-haspopup="dialog"
            onClick={() => setEditing('new')}
          >
            {t('billing.interim_set')}
          </Button>
        }
        columns={useColumns(nameOf)}
        query={query}
        state={state}
        rowKey={(threshold) => threshold.id}
        rowName={nameOf}
        searchLabel={t('billing.interim_search')}
        empty={
          <EmptyState compact title={t('billing.interim_empty')} hint={t('billing.interim_empty_hint')} />
        }
        rowActions={(threshold) => [
          { label: t('billing.interim_edit'), onClick: () => setEditing(threshold) },
          { label: t('billing.interim_remove'), onClick: () => setRemoving(threshold) },
        ]}
      />
      {editing && (
        <ThresholdDialog
          threshold={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      <ConfirmDialog
        open={removing !== undefined}
        title={t('billing.interim_remove_title', { name: removing ? nameOf(removing) : '' })}
        consequences={[t('billing.interim_remove_text')]}
        confirmLabel={t('billing.interim_remove')}
        onConfirm={async () => {
          if (removing) await remove.mutateAsync({ thresholdId: removing.id });
        }}
        onClose={() => setRemoving(undefined)}
      />
    </>
  );
}

function useColumns(nameOf: (threshold: InterimThreshold) => string): readonly Column<InterimThreshold>[] {
  const { t } = useTranslation('billing');
  return [
    {
      key: 'organization',
      label: t('billing.interim_for'),
      card: 'title',
      sortable: true,
      render: nameOf,
    },
    { key: 'currency', label: t('billing.interim_currency'), render: ({ currency }) => currency },
    {
      key: 'setAt',
      label: t('billing.interim_set_at'),
      sortable: true,
      show: 'wide',
      render: ({ setAt }) => <Moment at={setAt} />,
    },
    { key: 'setBy', label: t('billing.interim_set_by'), show: 'wide', render: ({ setBy }) => setBy },
    {
      key: 'amount',
      label: t('billing.interim_amount'),
      align: 'right',
      sortable: true,
      render: ({ amount }) => (amount ? <Money amount={amount} /> : t('billing.interim_never')),
    },
  ];
}
