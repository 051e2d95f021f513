// The bills on the schedule with their position, with search, and actions to grant a later date or to end a
// restriction.
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { billingPaths } from '#features/invoicing/billing/contract.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { holdLevels, type Dunned } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useActionName } from './action-words.ts';
import { dunningQueries } from './api.ts';
import { GrantDialog } from './GrantDialog.tsx';

const tones = { past_due: 'alarm', suspended: 'error' } as const;

export function DunnedBills() {
  const { t } = useTranslation('dunning');
  const format = useFormat();
  const name = useActionName();
  const navigate = useNavigate();
  const [granting, setGranting] = useState<{ readonly bill: Dunned; readonly action: 'extend' | 'resume' }>();
  const state = useTableState({ filters: { level: holdLevels }, sort: 'dueOn' });
  const query = usePagedQuery(dunningQueries.listDunned(state.query));
  const open = ({ billId, number }: Dunned) =>
    void navigate(`${billingPaths.admin}?bill=${billId}&q=${encodeURIComponent(number)}`);
  // used as: 'dunning.level_*'
  const columns: readonly Column<Dunned>[] = [
    {
      key: 'organization',
      label: t('dunning.organization'),
      card: 'title',
      sortable: true,
      render: ({ organization, usedBy }) =>
        usedBy
          ? t('dunning.pays_for', { payer: organization, organization: usedBy.organization })
          : organization,
    },
    { key: 'bill', label: t('dunning.bill'), render: (bill) => bill.number },
    {
      key: 'level',
      label: t('dunning.level'),
      render: (bill) =>
        bill.level === null ? (
          '–'
        ) : (
          <StatusBadge tone={tones[bill.level]} label={t(`dunning.level_${bill.level}`)} />
        ),
    },
    {
      key: 'dueOn',
      label: t('dunning.due_on'),
      sortable: true,
      render: (bill) =>
        `${format.dayTable(bill.dueOn)}${bill.isExtended ? ` · ${t('dunning.extended')}` : ''}`,
    },
    {
      key: 'last',
      label: t('dunning.last'),
      show: 'wide',
      render: (bill) =>
        bill.last
          ? t('dunning.next_on', { action: name(bill.last.action), date: format.dateTable(bill.last.at) })
          : '–',
    },
    {
      key: 'next',
      label: t('dunning.next'),
      render: (bill) =>
        bill.next
          ? t('dunning.next_on', { action: name(bill.next.action), date: format.dayTable(bill.next.on) })
          : '–',
    },
    {
      key: 'due',
      label: t('dunning.due'),
      align: 'right',
      sortable: true,
      render: (bill) => <Money amount={bill.due} />,
    },
  ];
  return (
    <>
      <DataTable
        list="dunned-bills"
        label={t('dunning.who')}
        title={t('dunning.who')}
        columns={columns}
        query={query}
        state={state}
        rowKey={(bill) => bill.billId}
        rowName={(bill) => bill.number}
        searchLabel={t('dunning.search')}
        filters={{
          level: {
            label: t('dunning.level_any'),
            options: holdLevels.map((level) => ({ value: level, label: t(`dunning.level_${level}`) })),
          },
        }}
        onRowClick={open}
        isPanel={false}
        empty={<EmptyState title={t('dunning.who_empty')} hint={t('dunning.who_empty_hint')} />}
        rowActions={(bill) => [
          { label: t('dunning.extend'), onClick: () => setGranting({ bill, action: 'extend' }) },
          ...(bill.level === null
            ? []
            : [{ label: t('dunning.resume'), onClick: () => setGranting({ bill, action: 'resume' }) }]),
        ]}
      />
      {granting && <GrantDialog {...granting} onClose={() => setGranting(undefined)} />}
    </>
  );
}
