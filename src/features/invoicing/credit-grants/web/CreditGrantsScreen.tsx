// The Admin's list of credit grants, a panel with one of them, the form to create one, and the offer to
// customers.
import { inLanguage } from '#kernel/language.ts';
import StorefrontOutlined from '~icons/ic/outline-storefront';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { In } from '#kernel/contract.ts';
import { currencyCodes } from '#kernel/money.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { ExportMenu } from '#platform/web/ui/ExportMenu.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { grantKinds, grantStates, type CreditGrant, type creditgrants } from '../contract.ts';
import { creditgrantsApi, creditgrantsKey, creditgrantsQueries } from './api.ts';
import { GiveGrantPanel } from './GiveGrantPanel.tsx';
import { stateTones, useGrantWords } from './grant-words.ts';
import { GrantPanel } from './GrantPanel.tsx';
import { OfferDialog } from './OfferDialog.tsx';

/** Stored in the address instead of a grant's id. */
const newGrant = 'new';

export function CreditGrantsScreen() {
  const { t } = useTranslation('creditgrants');
  const [open, setOpen] = useParam('grant');
  const [isOffering, setIsOffering] = useState(false);
  useLive('billing', [creditgrantsKey()]);
  const state = useTableState({
    filters: { kind: grantKinds, state: grantStates, currency: currencyCodes },
    sort: '-createdAt',
  });
  const query = usePagedQuery(creditgrantsQueries.adminListGrants(state.query));
  const give = <AddButton onClick={() => setOpen(newGrant)}>{t('creditgrants.give')}</AddButton>;
  const close = () => setOpen(undefined);
  return (
    <Page
      title={t('creditgrants.title')}
      lead={t('creditgrants.lead')}
      actions={
        <>
          <Button
            variant="outlined"
            startIcon={<StorefrontOutlined />}
            aria-haspopup="dialog"
            onClick={() => setIsOffering(true)}
          >
            {t('creditgrants.offer')}
          </Button>
          {give}
        </>
      }
    >
      <DataTable
        list="credit-grants"
        label={t('creditgrants.title')}
        columns={useColumns()}
        query={query}
        state={state}
        rowKey={(grant) => grant.id}
        rowName={(grant) => grant.organization}
        searchLabel={t('creditgrants.search')}
        // used as: 'creditgrants.kind_*', 'creditgrants.state_*'
        filters={{
          state: {
            label: t('creditgrants.column_state'),
            options: grantStates.map((one) => ({ value: one, label: t(`creditgrants.state_${one}`) })),
          },
          kind: {
            label: t('creditgrants.column_kind'),
            options: grantKinds.map((one) => ({ value: one, label: t(`creditgrants.kind_${one}`) })),
          },
          currency: {
            label: t('creditgrants.column_currency'),
            options: currencyCodes.map((one) => ({ value: one, label: one })),
          },
        }}
        toolbar={<GrantsExport filter={state.query} />}
        empty={
          <EmptyState title={t('creditgrants.empty')} hint={t('creditgrants.empty_hint')} action={give} />
        }
        onRowClick={(grant) => setOpen(grant.id)}
      />
      {open === newGrant && <GiveGrantPanel onClose={close} onGiven={setOpen} />}
      <GrantPanel open={open} onClose={close} />
      {isOffering && <OfferDialog onClose={() => setIsOffering(false)} />}
    </Page>
  );
}

function useColumns(): readonly Column<CreditGrant>[] {
  const { t } = useTranslation('creditgrants');
  const { language, month } = useFormat();
  const words = useGrantWords();
  return [
    {
      key: 'organization',
      label: t('creditgrants.column_organization'),
      sortable: true,
      card: 'title',
      render: (grant) => grant.organization,
    },
    {
      key: 'name',
      label: t('creditgrants.column_name'),
      render: (grant) => inLanguage(grant.name, language),
    },
    {
      key: 'kind',
      label: t('creditgrants.column_kind'),
      render: ({ kind, recurring }) => (
        <>
          <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
            {t(`creditgrants.kind_${kind}`)}
          </Box>
          {recurring && (
            <Typography variant="caption" component="div" color="textSecondary">
              {t(recurring.rollover ? 'creditgrants.recurring_rollover' : 'creditgrants.recurring_monthly')}
            </Typography>
          )}
        </>
      ),
    },
    {
      key: 'state',
      label: t('creditgrants.column_state'),
      render: ({ state }) => (
        <StatusBadge tone={stateTones[state]} label={t(`creditgrants.state_${state}`)} />
      ),
    },
    {
      key: 'scope',
      label: t('creditgrants.column_scope'),
      show: 'wide',
      card: 'hidden',
      render: ({ scope }) => words.scope(scope),
    },
    {
      key: 'lastMonth',
      label: t('creditgrants.column_last_month'),
      sortable: true,
      show: 'wide',
      render: ({ lastMonth }) => (lastMonth === null ? t('creditgrants.no_expiry') : month(lastMonth)),
    },
    {
      key: 'createdAt',
      label: t('creditgrants.column_created_at'),
      sortable: true,
      show: 'wide',
      card: 'hidden',
      render: ({ createdAt }) => <Moment at={createdAt} />,
    },
    {
      key: 'amount',
      label: t('creditgrants.column_amount'),
      align: 'right',
      show: 'wide',
      sortable: true,
      render: ({ amount }) => <Money amount={amount} />,
    },
    {
      key: 'left',
      label: t('creditgrants.column_left'),
      align: 'right',
      sortable: true,
      render: ({ left }) => <Money amount={left} strong={left.minor > 0n} />,
    },
  ];
}

function GrantsExport({ filter }: { filter: In<typeof creditgrants.adminListGrants> }) {
  const { t } = useTranslation('creditgrants');
  const language = useLanguage();
  const download = useDownload();
  // The file does not have the list's paging.
  const { limit: _limit, cursor: _cursor, ...asked } = filter;
  return (
    <ExportMenu
      label={t('creditgrants.export')}
      formats={[
        { value: 'csv', name: 'CSV', hint: t('creditgrants.export_csv') },
        { value: 'xlsx', name: 'Excel', hint: t('creditgrants.export_xlsx') },
      ]}
      onTake={(format) =>
        void download((options) => creditgrantsApi.adminExportGrants({ ...asked, format, language }, options))
      }
    />
  );
}
