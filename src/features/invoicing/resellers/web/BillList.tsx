// A list of bills issued by a reseller, and the panel of the open one, for the reseller and for its
// customers.
import type { ReactNode } from 'react';
import { isId, type Id } from '#kernel/ids.ts';
import type { RetailBill } from '#features/invoicing/billing/contract-retail.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column, ListQuery } from '#platform/web/ui/list-parts.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import type { TableState } from '#platform/web/ui/table-state.ts';
import { PaidBadge } from './RetailBillPanel.tsx';

export type BillListProps<Bill extends RetailBill> = {
  readonly title: string;
  readonly state: TableState<Record<never, never>>;
  readonly query: ListQuery<Bill>;
  readonly searchLabel?: string;
  /** Why there are no bills yet. */
  readonly hint: string;
  /** Additional columns, after the number, after the month, and before the total. */
  readonly columns: Partial<Record<'afterNumber' | 'afterMonth' | 'beforeTotal', readonly Column<Bill>[]>>;
  /** The content of the panel. */
  readonly bill: (id: Id<'rtb'>) => ReactNode;
};

export function BillList<Bill extends RetailBill>({
  title,
  state,
  query,
  searchLabel,
  hint,
  columns: { afterNumber = [], afterMonth = [], beforeTotal = [] },
  bill,
}: BillListProps<Bill>) {
  const { t } = useTranslation('resellers');
  const format = useFormat();
  const [open, setOpen] = useParam('bill');
  const known = isId('rtb', open) ? open : undefined;
  return (
    <>
      <DataTable
        label={title}
        title={title}
        columns={[
          { key: 'number', label: t('resellers.number'), card: 'title', render: ({ number }) => number },
          ...afterNumber,
          {
            key: 'month',
            label: t('resellers.month'),
            sortable: true,
            render: ({ month }) => format.month(month),
          },
          ...afterMonth,
          { key: 'state', label: t('resellers.state'), render: (one) => <PaidBadge bill={one} /> },
          ...beforeTotal,
          {
            key: 'total',
            label: t('resellers.total'),
            align: 'right',
            render: ({ total }) => <Money amount={total} />,
          },
        ]}
        query={query}
        state={state}
        rowKey={({ id }) => id}
        rowName={({ number }) => number}
        onRowClick={({ id }) => setOpen(id)}
        searchLabel={searchLabel}
        empty={<EmptyState compact title={t('resellers.no_bills')} hint={hint} />}
      />
      <SidePanel
        open={known !== undefined}
        title={t('resellers.bill')}
        onClose={() => setOpen(undefined)}
        width={760}
      >
        {known !== undefined && bill(known)}
      </SidePanel>
    </>
  );
}
