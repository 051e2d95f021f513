// The rates by country, those in force first; rates not yet in force can be removed.
import { useState } from 'react';
import { tagOf } from '#kernel/language.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { rateStates, type TaxRate } from '../contract.ts';
import { taxesApi, taxesKey, taxesQueries } from './api.ts';
import { useCountryName } from './countries.ts';

const tones: Readonly<Record<TaxRate['state'], BadgeTone>> = {
  current: 'success',
  future: 'primary',
  past: 'neutral',
};

export function RateList() {
  const { t } = useTranslation('taxes');
  const format = useFormat();
  const nameOf = useCountryName();
  const [removing, setRemoving] = useState<TaxRate>();
  const state = useTableState({ filters: { state: rateStates }, sort: 'country', prefix: 'rate-' });
  const query = usePagedQuery(taxesQueries.listTaxRates(state.query));
  const remove = useCall(taxesApi.removeTaxRate, {
    invalidates: [taxesKey('listTaxRates')],
    onSuccess: () => toast.success(t('taxes.rate_removed')),
  });
  return (
    <>
      <DataTable
        list="tax-rates"
        label={t('taxes.rates')}
        title={t('taxes.rates')}
        lead={t('taxes.rates_lead')}
        columns={useColumns(nameOf)}
        query={query}
        state={state}
        rowKey={(rate) => rate.id}
        rowName={(rate) => nameOf(rate.country)}
        searchLabel={t('taxes.search')}
        filters={{
          // used as: 'taxes.state_*'
          state: {
            label: t('taxes.state'),
            options: rateStates.map((value) => ({ value, label: t(`taxes.state_${value}`) })),
          },
        }}
        empty={<EmptyState compact title={t('taxes.rates_empty')} hint={t('taxes.rates_empty_hint')} />}
        rowActions={(rate) =>
          rate.state === 'future' ? [{ label: t('taxes.remove'), onClick: () => setRemoving(rate) }] : []
        }
      />
      <ConfirmDialog
        open={removing !== undefined}
        title={t('taxes.remove_ask', {
          country: removing ? nameOf(removing.country) : '',
          day: removing ? format.day(removing.validFrom) : '',
        })}
        consequences={[t('taxes.remove_effect')]}
        confirmLabel={t('taxes.remove')}
        onConfirm={async () => {
          if (removing) await remove.mutateAsync({ rateId: removing.id });
        }}
        onClose={() => setRemoving(undefined)}
      />
    </>
  );
}

function useColumns(nameOf: (code: string) => string): readonly Column<TaxRate>[] {
  const { t } = useTranslation('taxes');
  const format = useFormat();
  return [
    {
      key: 'country',
      label: t('taxes.country'),
      card: 'title',
      sortable: true,
      // The browser provides the names of countries; they are not our own texts.
      render: ({ country }) => <span lang={tagOf(format.language)}>{`${nameOf(country)} (${country})`}</span>,
    },
    // used as: 'taxes.category_*'
    {
      key: 'category',
      label: t('taxes.category'),
      render: ({ category }) => t(`taxes.category_${category}`),
    },
    {
      key: 'rate',
      label: t('taxes.rate'),
      align: 'right',
      sortable: true,
      render: ({ rate }) => (rate === null ? t('taxes.rate_none') : <span className="tabular">{rate}%</span>),
    },
    {
      key: 'validFrom',
      label: t('taxes.valid_from'),
      sortable: true,
      render: ({ validFrom }) => format.dayTable(validFrom),
    },
    {
      key: 'validUntil',
      label: t('taxes.valid_until'),
      show: 'wide',
      render: ({ validUntil }) => (validUntil === null ? t('taxes.open_end') : format.dayTable(validUntil)),
    },
    {
      key: 'state',
      label: t('taxes.state'),
      render: ({ state }) => <StatusBadge tone={tones[state]} label={t(`taxes.state_${state}`)} />,
    },
    {
      key: 'addedBy',
      label: t('taxes.added_by'),
      show: 'wide',
      render: ({ addedBy }) => addedBy ?? t('taxes.built_in'),
    },
  ];
}
