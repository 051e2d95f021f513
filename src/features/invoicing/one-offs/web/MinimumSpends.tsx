// The minimum monthly spends of organizations, with buttons that set and end them.
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import { currencyCodes } from '#kernel/money.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { MinimumSpend, MinimumState } from '../contract-minimums.ts';
import { oneOffsQueries } from './api.ts';
import { EndMinimumDialog, NewMinimumDialog } from './MinimumDialogs.tsx';

export const minimumTones: Record<MinimumState, BadgeTone> = {
  upcoming: 'primary',
  running: 'success',
  ended: 'neutral',
  cancelled: 'neutral',
};

export function MinimumSpends({ onOpen }: { readonly onOpen: (id: Id<'msp'>) => void }) {
  const { t } = useTranslation('oneoffs');
  const [isMaking, setIsMaking] = useState(false);
  const [ending, setEnding] = useState<MinimumSpend>();
  const state = useTableState({ filters: { currency: currencyCodes }, sort: '-createdAt', prefix: 'min-' });
  const query = usePagedQuery(oneOffsQueries.listMinimumSpends(state.query));
  const add = (
    <AddButton variant="outlined" onClick={() => setIsMaking(true)}>
      {t('oneoffs.minimum_new')}
    </AddButton>
  );
  return (
    <>
      <DataTable
        list="minimum-spends"
        label={t('oneoffs.minimums')}
        title={t('oneoffs.minimums')}
        lead={t('oneoffs.minimums_lead')}
        actions={add}
        columns={useColumns()}
        query={query}
        state={state}
        rowKey={(minimum) => minimum.id}
        rowName={(minimum) => minimum.organization}
        searchLabel={t('oneoffs.minimums_search')}
        filters={{
          currency: {
            label: t('oneoffs.currency'),
            options: currencyCodes.map((one) => ({ value: one, label: one })),
          },
        }}
        empty={
          <EmptyState compact title={t('oneoffs.minimums_empty')} hint={t('oneoffs.minimums_empty_hint')} />
        }
        rowActions={(minimum) => [
          { label: t('oneoffs.minimum_show'), onClick: () => onOpen(minimum.id) },
          ...(minimum.state === 'upcoming' || minimum.state === 'running'
            ? [{ label: t('oneoffs.minimum_end'), onClick: () => setEnding(minimum) }]
            : []),
        ]}
        onRowClick={(minimum) => onOpen(minimum.id)}
      />
      {isMaking && <NewMinimumDialog onClose={() => setIsMaking(false)} />}
      {ending && <EndMinimumDialog minimum={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function useColumns(): readonly Column<MinimumSpend>[] {
  const { t } = useTranslation('oneoffs');
  const format = useFormat();
  return [
    {
      key: 'organization',
      label: t('oneoffs.column_organization'),
      card: 'title',
      sortable: true,
      render: (minimum) => minimum.organization,
    },
    {
      key: 'state',
      label: t('oneoffs.state'),
      // used as: 'oneoffs.minimum_state_*'
      render: ({ state }) => (
        <StatusBadge tone={minimumTones[state]} label={t(`oneoffs.minimum_state_${state}`)} />
      ),
    },
    {
      key: 'fromMonth',
      label: t('oneoffs.from_month'),
      sortable: true,
      render: (minimum) => format.month(minimum.fromMonth),
    },
    {
      key: 'toMonth',
      label: t('oneoffs.to_month'),
      render: ({ state, toMonth }) =>
        state === 'cancelled' ? '–' : toMonth === null ? t('oneoffs.no_end') : format.month(toMonth),
    },
    {
      key: 'createdAt',
      label: t('oneoffs.column_createdAt'),
      sortable: true,
      show: 'wide',
      card: 'hidden',
      render: (minimum) => <Moment at={minimum.createdAt} />,
    },
    {
      key: 'amount',
      label: t('oneoffs.minimum_amount'),
      align: 'right',
      sortable: true,
      render: (minimum) => <Money amount={minimum.amount} />,
    },
    {
      key: 'added',
      label: t('oneoffs.minimum_added'),
      align: 'right',
      render: (minimum) => <Money amount={minimum.added} />,
    },
  ];
}
