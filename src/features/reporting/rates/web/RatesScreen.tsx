// The Admin's exchange rates: the reporting currency, current rates, manual rates, and the European Central
// Bank's file.
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { currencyCodes } from '#kernel/money.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { rateSources, type ExchangeRate } from '../contract.ts';
import { ratesApi, ratesKey, ratesQueries } from './api.ts';
import { ImportDialog } from './ImportDialog.tsx';
import { RateDialog } from './RateDialog.tsx';

export function RatesScreen() {
  const { t } = useTranslation('rates');
  const [opened, setOpened] = useState<'rate' | 'import'>();
  useLive('billing', [ratesKey()]);
  const close = () => setOpened(undefined);
  return (
    <Page
      title={t('rates.title')}
      lead={t('rates.lead')}
      actions={
        <>
          <Button variant="outlined" aria-haspopup="dialog" onClick={() => setOpened('import')}>
            {t('rates.import')}
          </Button>
          <AddButton onClick={() => setOpened('rate')}>{t('rates.set')}</AddButton>
        </>
      }
    >
      <Reporting />
      <RateList />
      {opened === 'rate' && <RateDialog onClose={close} />}
      {opened === 'import' && <ImportDialog onClose={close} />}
    </Page>
  );
}

function Reporting() {
  const { t } = useTranslation('rates');
  const query = useQuery(ratesQueries.getReporting());
  const save = useCall(ratesApi.saveReporting, {
    invalidates: [ratesKey('getReporting')],
    onSuccess: () => toast.success(t('rates.reporting_saved')),
    onError: (error) => toast.failure(error),
  });
  return (
    <Section title={t('rates.reporting')} lead={t('rates.reporting_lead')}>
      <QueryState query={query} skeleton={<Lines count={1} />}>
        {({ currency }) => (
          <SelectBox
            label={t('rates.reporting')}
            value={currency}
            disabled={save.isPending}
            options={currencyCodes.map((one) => ({ value: one, label: one }))}
            onChange={(next) => save.mutate({ currency: next })}
          />
        )}
      </QueryState>
    </Section>
  );
}

function RateList() {
  const { t } = useTranslation('rates');
  const state = useTableState({ filters: { source: rateSources }, sort: '-day' });
  const query = usePagedQuery(ratesQueries.listRates(state.query));
  return (
    <DataTable
      list="exchange-rates"
      label={t('rates.list')}
      title={t('rates.list')}
      lead={t('rates.list_lead')}
      columns={useColumns()}
      query={query}
      state={state}
      rowKey={(one) => one.id}
      rowName={({ currency, against, day }) => `${currency} ${against} ${day}`}
      searchLabel={t('rates.search')}
      filters={{
        // used as: 'rates.source_*'
        source: {
          label: t('rates.source'),
          options: rateSources.map((value) => ({ value, label: t(`rates.source_${value}`) })),
        },
      }}
      empty={<EmptyState title={t('rates.empty')} hint={t('rates.empty_hint')} />}
    />
  );
}

function useColumns(): readonly Column<ExchangeRate>[] {
  const { t } = useTranslation('rates');
  const format = useFormat();
  return [
    {
      key: 'pair',
      label: t('rates.pair'),
      card: 'title',
      render: ({ currency, against, rate }) => (
        <span className="tabular">
          {t('rates.pair_of', { currency, against, rate: format.number(rate) })}
        </span>
      ),
    },
    { key: 'day', label: t('rates.day'), sortable: true, render: ({ day }) => format.dayTable(day) },
    { key: 'source', label: t('rates.source'), render: ({ source }) => t(`rates.source_${source}`) },
    {
      key: 'version',
      label: t('rates.version'),
      align: 'right',
      show: 'wide',
      render: ({ version }) => format.number(version),
    },
    { key: 'setBy', label: t('rates.set_by'), show: 'wide', render: ({ setBy }) => setBy },
    {
      key: 'setAt',
      label: t('rates.set_at'),
      show: 'wide',
      render: ({ setAt }) => <Moment at={setAt} as="dateTime" />,
    },
  ];
}
