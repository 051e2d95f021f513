// All e-invoices, with search, filters, exports, and one of them beside the list.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { billingPaths } from '#features/invoicing/billing/contract.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { buyerKinds, einvoiceStates, type Einvoice } from '../contract.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { ExportMenu } from '#platform/web/ui/ExportMenu.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { einvoicesApi, einvoicesQueries } from './api.ts';
import { EinvoicePanel } from './EinvoicePanel.tsx';
import { EinvoiceState } from './EinvoiceState.tsx';
import { useErrorWords } from './error-words.ts';

/** `empty` is shown instead of a list that is empty without filters. */
export function EinvoiceList({ empty }: { empty?: ReactNode }) {
  const { t } = useTranslation('einvoices');
  const language = useLanguage();
  const download = useDownload();
  const [opened, open] = useParam('einvoice');
  const state = useTableState({
    filters: { state: einvoiceStates, kind: buyerKinds },
    sort: '-createdAt',
  });
  const query = usePagedQuery(einvoicesQueries.adminListEinvoices(state.query));
  const isBare = query.data?.total === 0 && !state.query.q && !state.query.state && !state.query.kind;
  const columns: readonly Column<Einvoice>[] = [
    {
      key: 'number',
      label: t('einvoices.number'),
      sortable: true,
      card: 'title',
      render: (one) =>
        one.number === null ? (
          <Typography component="span" variant="body2" color="textSecondary">
            {t('einvoices.no_number_yet')}
          </Typography>
        ) : (
          <Box component="span" className="tabular">
            {one.number}
          </Box>
        ),
    },
    { key: 'state', label: t('einvoices.state'), render: (one) => <Standing one={one} /> },
    {
      key: 'buyer',
      label: t('einvoices.buyer'),
      render: (one) => (
        <>
          {one.buyerName}
          {one.taxId !== '' && (
            <Typography component="span" variant="caption" color="textSecondary" sx={{ display: 'block' }}>
              {one.taxId}
            </Typography>
          )}
        </>
      ),
    },
    {
      key: 'bill',
      label: t('einvoices.bill'),
      render: (one) => (
        <Link to={`${billingPaths.admin}?bill=${one.billId}`} onClick={(event) => event.stopPropagation()}>
          {one.billNumber}
        </Link>
      ),
    },
    {
      key: 'createdAt',
      label: t('einvoices.issued_at'),
      sortable: true,
      show: 'wide',
      render: (one) => (one.issuedAt ? <Moment at={one.issuedAt} as="dateTime" /> : '–'),
    },
    {
      key: 'total',
      label: t('einvoices.total'),
      align: 'right',
      sortable: true,
      render: (one) => <Money amount={one.total} />,
    },
  ];
  return (
    <>
      {isBare && empty !== undefined ? (
        empty
      ) : (
        <DataTable
          list="admin-einvoices"
          label={t('einvoices.all')}
          columns={columns}
          query={query}
          state={state}
          rowKey={(one) => one.id}
          rowName={(one) => one.number ?? one.billNumber}
          searchLabel={t('einvoices.search')}
          // used as: 'einvoices.state_*', 'einvoices.kind_*'
          filters={{
            state: {
              label: t('einvoices.state'),
              options: einvoiceStates.map((one) => ({ value: one, label: t(`einvoices.state_${one}`) })),
            },
            kind: {
              label: t('einvoices.column_kind'),
              options: buyerKinds.map((one) => ({ value: one, label: t(`einvoices.kind_${one}`) })),
            },
          }}
          toolbar={
            <ExportMenu
              label={t('einvoices.export')}
              formats={[
                { value: 'csv', name: 'CSV', hint: t('einvoices.export_csv_hint') },
                { value: 'xlsx', name: 'Excel', hint: t('einvoices.export_xlsx_hint') },
              ]}
              onTake={(format) =>
                void download((options) => {
                  const { q, state: wanted, kind } = state.query;
                  return einvoicesApi.exportEinvoices(
                    {
                      format,
                      language,
                      ...(q && { q }),
                      ...(wanted && { state: wanted }),
                      ...(kind && { kind }),
                    },
                    options,
                  );
                })
              }
            />
          }
          onRowClick={(one) => open(one.id)}
          rowActions={(one) => [{ label: t('einvoices.open'), onClick: () => open(one.id) }]}
          empty={<EmptyState title={t('einvoices.empty')} hint={t('einvoices.empty_hint')} />}
        />
      )}
      <EinvoicePanel einvoiceId={opened} onClose={() => open(undefined)} />
    </>
  );
}

/** The state, and below it why it is waiting or failed. */
function Standing({ one }: { one: Einvoice }) {
  const words = useErrorWords();
  return (
    <Box sx={{ minWidth: 0 }}>
      <EinvoiceState state={one.state} />
      {one.errorCode !== null && (
        <Typography
          component="p"
          variant="caption"
          color={one.state === 'failed' ? 'error' : 'textSecondary'}
          sx={{ maxWidth: 260, marginTop: 0.5, overflowWrap: 'anywhere' }}
        >
          {words(one.errorCode, one.errorWords ?? '')}
        </Typography>
      )}
    </Box>
  );
}
