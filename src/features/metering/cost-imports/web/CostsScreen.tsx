// Cloud costs: their sources, and the margin of a month.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { CostSource } from '../contract.ts';
import { costsKey, costsQueries } from './api.ts';
import { CostAmounts } from './CostAmounts.tsx';
import { MarginSection } from './MarginSection.tsx';
import { newSource, SourcePanel } from './SourcePanel.tsx';
import { TemplateDialog } from './TemplateDialog.tsx';

export function CostsScreen() {
  const { t } = useTranslation('costs');
  const [open, setOpen] = useParam('source');
  const [isMaking, setIsMaking] = useState(false);
  const state = useTableState({ filters: {}, sort: 'name' });
  useLive('costs', [costsKey()]);
  const query = usePagedQuery(costsQueries.listCostSources(state.query));
  const add = <AddButton onClick={() => setOpen(newSource)}>{t('costs.add')}</AddButton>;
  return (
    <Page
      title={t('costs.title')}
      lead={t('costs.lead')}
      actions={
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
          <Button aria-haspopup="dialog" variant="outlined" onClick={() => setIsMaking(true)}>
            {t('costs.template')}
          </Button>
          {add}
        </Stack>
      }
    >
      <DataTable
        list="costs"
        title={t('costs.sources')}
        label={t('costs.sources')}
        columns={useSourceColumns()}
        query={query}
        state={state}
        rowKey={(source) => source.id}
        rowName={(source) => source.name}
        searchLabel={t('costs.search')}
        empty={<EmptyState title={t('costs.empty')} hint={t('costs.empty_hint')} action={add} />}
        onRowClick={(source) => setOpen(source.id)}
        isMarked={(source) => source.failure !== null}
      />
      <MarginSection />
      <SourcePanel open={open} onOpen={setOpen} />
      {isMaking && <TemplateDialog onClose={() => setIsMaking(false)} />}
    </Page>
  );
}

function useSourceColumns(): readonly Column<CostSource>[] {
  const { t } = useTranslation('costs');
  const format = useFormat();
  const money = (key: 'cost' | 'unassigned' | 'sold'): Column<CostSource> => ({
    key,
    // used as: 'costs.cost', 'costs.unassigned', 'costs.sold'
    label: t(`costs.${key}`),
    align: 'right',
    render: ({ periods: [newest] }) =>
      newest && newest[key].length > 0 ? <CostAmounts amounts={newest[key]} /> : '–',
  });
  return [
    { key: 'name', label: t('costs.name'), sortable: true, card: 'title', render: ({ name }) => name },
    {
      key: 'kind',
      label: t('costs.kind'),
      // used as: 'costs.kind_*'
      render: ({ place }) => t(`costs.kind_${place.kind}`),
    },
    {
      key: 'period',
      label: t('costs.period'),
      render: ({ periods: [newest] }) => (newest ? format.month(newest.periodStart.slice(0, 7)) : '–'),
    },
    money('cost'),
    money('unassigned'),
    money('sold'),
    {
      key: 'failure',
      label: t('costs.last_error'),
      show: 'wide',
      render: ({ failure }) => failure?.message ?? '–',
    },
  ];
}
