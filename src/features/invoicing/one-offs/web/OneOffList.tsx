// All one-offs, with search, filters and exports.
import { inLanguage } from '#kernel/language.ts';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { Id } from '#kernel/ids.ts';
import { currencyCodes } from '#kernel/money.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { ExportMenu } from '#platform/web/ui/ExportMenu.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import type { RowAction } from '#platform/web/ui/RowMenu.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { oneOffStates, type OneOff } from '../contract.ts';
import { oneOffsApi, oneOffsQueries } from './api.ts';
import type { Deciding } from './DecisionDialogs.tsx';
import { OneOffState } from './OneOffState.tsx';

const exportFormats = ['xlsx', 'csv'] as const;

export function OneOffList({
  add,
  onOpen,
  onDecide,
}: {
  add: ReactNode;
  onOpen: (id: Id<'ooc'>) => void;
  onDecide: (deciding: Deciding) => void;
}) {
  const { t } = useTranslation('oneoffs');
  const language = useLanguage();
  const download = useDownload();
  const state = useTableState({
    filters: { state: oneOffStates, currency: currencyCodes },
    sort: '-createdAt',
  });
  const query = usePagedQuery(oneOffsQueries.listOneOffs(state.query));
  const { limit: _limit, cursor: _cursor, ...filter } = state.query;
  const awaiting = query.data?.awaiting ?? 0;
  return (
    <DataTable
      list="one-off-charges"
      label={t('oneoffs.list')}
      title={t('oneoffs.list')}
      columns={useColumns()}
      query={query}
      state={state}
      rowKey={(oneOff) => oneOff.id}
      rowName={(oneOff) => inLanguage(oneOff.name, language)}
      searchLabel={t('oneoffs.search')}
      // used as: 'oneoffs.state_*'
      filters={{
        state: {
          label: t('oneoffs.state'),
          options: oneOffStates.map((one) => ({
            value: one,
            label:
              one === 'awaiting_approval' && awaiting > 0
                ? t('oneoffs.awaiting_option', { count: awaiting })
                : t(`oneoffs.state_${one}`),
          })),
        },
        currency: {
          label: t('oneoffs.currency'),
          options: currencyCodes.map((one) => ({ value: one, label: one })),
        },
      }}
      toolbar={
        (query.data?.total ?? 0) > 0 && (
          <ExportMenu
            label={t('oneoffs.export')}
            // used as: 'oneoffs.export_*'
            formats={exportFormats.map((value) => ({
              value,
              name: t(`oneoffs.export_${value}`),
              hint: t(`oneoffs.export_${value}_hint`),
            }))}
            onTake={(format) =>
              void download((options) => oneOffsApi.exportOneOffs({ ...filter, format, language }, options))
            }
          />
        )
      }
      empty={<EmptyState title={t('oneoffs.empty')} hint={t('oneoffs.empty_hint')} action={add} />}
      rowActions={useActions(onOpen, onDecide)}
      onRowClick={(oneOff) => onOpen(oneOff.id)}
    />
  );
}

function useColumns(): readonly Column<OneOff>[] {
  const { t } = useTranslation('oneoffs');
  const language = useLanguage();
  const format = useFormat();
  return [
    {
      key: 'name',
      label: t('oneoffs.column_name'),
      card: 'title',
      render: (oneOff) => (
        <Stack sx={{ minWidth: 0 }}>
          <span>{inLanguage(oneOff.name, language)}</span>
          {oneOff.service !== null && (
            <Typography variant="caption" color="textSecondary">
              {oneOff.service}
            </Typography>
          )}
        </Stack>
      ),
    },
    {
      key: 'organization',
      label: t('oneoffs.column_organization'),
      sortable: true,
      render: (oneOff) => oneOff.organization,
    },
    {
      key: 'state',
      label: t('oneoffs.state'),
      render: (oneOff) => <OneOffState state={oneOff.state} />,
    },
    {
      key: 'chargeOn',
      label: t('oneoffs.column_chargeOn'),
      sortable: true,
      render: (oneOff) => <span className="tabular">{format.dayTable(oneOff.chargeOn)}</span>,
    },
    {
      key: 'bill',
      label: t('oneoffs.column_billing'),
      show: 'wide',
      // used as: 'oneoffs.billing_*'
      render: (oneOff) => oneOff.bill?.number ?? t(`oneoffs.billing_${oneOff.billing}`),
    },
    {
      key: 'createdAt',
      label: t('oneoffs.column_createdAt'),
      sortable: true,
      show: 'wide',
      card: 'hidden',
      render: (oneOff) => <Moment at={oneOff.createdAt} />,
    },
    {
      key: 'amount',
      label: t('oneoffs.column_amount'),
      align: 'right',
      sortable: true,
      render: (oneOff) => <Money amount={oneOff.amount} />,
    },
  ];
}

function useActions(
  onOpen: (id: Id<'ooc'>) => void,
  onDecide: (deciding: Deciding) => void,
): (oneOff: OneOff) => readonly RowAction[] {
  const { t } = useTranslation('oneoffs');
  const ownId = useAuthStore((auth) => auth.user?.id);
  return (oneOff) => [
    { label: t('oneoffs.open'), onClick: () => onOpen(oneOff.id) },
    ...(oneOff.state === 'awaiting_approval' && oneOff.createdBy.id !== ownId
      ? [
          { label: t('oneoffs.approve'), onClick: () => onDecide({ step: 'approve', oneOff }) },
          { label: t('oneoffs.reject'), danger: true, onClick: () => onDecide({ step: 'reject', oneOff }) },
        ]
      : []),
    ...(oneOff.state === 'awaiting_approval' || oneOff.state === 'approved'
      ? [
          {
            label: t('oneoffs.withdraw'),
            danger: true,
            onClick: () => onDecide({ step: 'withdraw', oneOff }),
          },
        ]
      : []),
  ];
}
