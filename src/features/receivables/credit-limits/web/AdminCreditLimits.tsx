// Credit limits as they are set, with the buttons that set and remove them.
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
import type { CreditLimit } from '../contract.ts';
import { creditLimitsApi, creditLimitsKey, creditLimitsQueries } from './api.ts';
import { LimitDialog } from './LimitDialog.tsx';

export function AdminCreditLimits() {
  const { t } = useTranslation('creditlimits');
  const [editing, setEditing] = useState<CreditLimit | 'new'>();
  const [removing, setRemoving] = useState<CreditLimit>();
  const state = useTableState({ sort: 'organization', prefix: 'limits-' });
  const query = useQuery({
    ...creditLimitsQueries.listCreditLimits(state.query),
    placeholderData: keepPreviousData,
  });
  const nameOf = ({ organization }: CreditLimit): string => organization ?? t('creditlimits.everyone');
  const remove = useCall(creditLimitsApi.removeCreditLimit, {
    invalidates: [creditLimitsKey()],
    onSuccess: () => toast.success(t('creditlimits.removed')),
  });
  return (
    <>
      <DataTable
        list="credit-limits"
        label={t('creditlimits.list_title')}
        title={t('creditlimits.list_title')}
        lead={t('creditlimits.list_lead')}
        actions={
          <Button
            variant="outlined"
            startIcon={<AddOutlined />}
            aria-haspopup="dialog"
            onClick={() => setEditing('new')}
          >
            {t('creditlimits.set')}
          </Button>
        }
        columns={useColumns(nameOf)}
        query={query}
        state={state}
        rowKey={(limit) => limit.id}
        rowName={nameOf}
        searchLabel={t('creditlimits.search')}
        empty={<EmptyState compact title={t('creditlimits.empty')} hint={t('creditlimits.empty_hint')} />}
        rowActions={(limit) => [
          { label: t('creditlimits.edit'), onClick: () => setEditing(limit) },
          { label: t('creditlimits.remove'), onClick: () => setRemoving(limit) },
        ]}
      />
      {editing && (
        <LimitDialog limit={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
      <ConfirmDialog
        open={removing !== undefined}
        title={t('creditlimits.remove_title', { name: removing ? nameOf(removing) : '' })}
        consequences={[t('creditlimits.remove_text')]}
        confirmLabel={t('creditlimits.remove')}
        onConfirm={async () => {
          if (removing) await remove.mutateAsync({ limitId: removing.id });
        }}
        onClose={() => setRemoving(undefined)}
      />
    </>
  );
}

function useColumns(nameOf: (limit: CreditLimit) => string): readonly Column<CreditLimit>[] {
  const { t } = useTranslation('creditlimits');
  return [
    {
      key: 'organization',
      label: t('creditlimits.for'),
      card: 'title',
      sortable: true,
      render: nameOf,
    },
    { key: 'currency', label: t('creditlimits.currency'), render: ({ currency }) => currency },
    {
      key: 'setAt',
      label: t('creditlimits.set_at'),
      sortable: true,
      show: 'wide',
      render: ({ setAt }) => <Moment at={setAt} />,
    },
    { key: 'setBy', label: t('creditlimits.set_by'), show: 'wide', render: ({ setBy }) => setBy },
    {
      key: 'amount',
      label: t('creditlimits.amount'),
      align: 'right',
      sortable: true,
      render: ({ amount }) => (amount ? <Money amount={amount} /> : t('creditlimits.never')),
    },
  ];
}
