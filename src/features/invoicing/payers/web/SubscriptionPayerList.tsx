// Subscriptions that are not paid by the payer of their organization's other subscriptions, with past payers,
// and buttons that set and end this.
import { useState } from 'react';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { SubscriptionPayerSpan } from '../contract.ts';
import { payersKey, payersQueries } from './api.ts';
import { SubscriptionPayerDialog, type SubscriptionPayerDialogProps } from './SubscriptionPayerDialog.tsx';
import { useTermColumns } from './term-columns.tsx';

export function SubscriptionPayerList() {
  const { t } = useTranslation('payers');
  const [asked, setAsked] = useState<Pick<SubscriptionPayerDialogProps, 'span' | 'isEnding'>>();
  const state = useTableState({ sort: '-from', prefix: 'subscription-payers-' });
  useLive('billing', [payersKey('listSubscriptionPayers')]);
  const query = usePagedQuery(payersQueries.listSubscriptionPayers(state.query));
  return (
    <>
      <DataTable
        list="subscription-payers"
        label={t('payers.subscriptions_title')}
        title={t('payers.subscriptions_title')}
        lead={t('payers.subscriptions_lead')}
        actions={
          <AddButton variant="outlined" onClick={() => setAsked({ span: undefined, isEnding: false })}>
            {t('payers.subscription_set')}
          </AddButton>
        }
        columns={useColumns()}
        query={query}
        state={state}
        rowKey={(span) => span.id}
        rowName={(span) => span.service}
        searchLabel={t('payers.subscriptions_search')}
        empty={
          <EmptyState
            compact
            title={t('payers.subscriptions_empty')}
            hint={t('payers.subscriptions_empty_hint')}
          />
        }
        rowActions={(span) =>
          span.state === 'ended'
            ? []
            : [
                {
                  label: t('payers.subscription_change'),
                  onClick: () => setAsked({ span, isEnding: false }),
                },
                { label: t('payers.subscription_end'), onClick: () => setAsked({ span, isEnding: true }) },
              ]
        }
      />
      {asked && <SubscriptionPayerDialog {...asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function useColumns(): readonly Column<SubscriptionPayerSpan>[] {
  const { t } = useTranslation('payers');
  return [
    {
      key: 'service',
      label: t('payers.subscription'),
      card: 'title',
      sortable: true,
      render: ({ service }) => service,
    },
    {
      key: 'organization',
      label: t('payers.organization'),
      sortable: true,
      render: ({ organization }) => organization,
    },
    { key: 'payer', label: t('payers.payer'), sortable: true, render: ({ payer }) => payer },
    ...useTermColumns(),
  ];
}
