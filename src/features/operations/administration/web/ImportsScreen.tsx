// Imports of a provider's billing data: a file or the demo data, the results, and the comparison with bills.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { isMonth } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { monthNow } from '#platform/web/time/months.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { MonthPicker } from '#platform/web/ui/MonthPicker.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { administrationKey, administrationQueries } from './api.ts';
import { isGoingOn, progressMs } from './import-states.ts';
import { ImportList } from './ImportList.tsx';
import { ImportPanel } from './ImportPanel.tsx';
import { ImportUpload } from './ImportUpload.tsx';
import { Reconciliation } from './Reconciliation.tsx';

export function ImportsScreen() {
  const { t } = useTranslation('administration');
  const state = useTableState({ sort: '-createdAt' });
  const [openId, setOpenId] = useParam('import');
  const [chosenMonth, setMonth] = useParam('month');
  const timeZone = useBrand((brand) => brand.timeZone);
  const list = usePagedQuery({
    ...administrationQueries.listImports(state.query),
    refetchInterval: (query) => (query.state.data?.items.some(isGoingOn) ? progressMs : false),
  });
  useLive('imports', [administrationKey('listImports'), administrationKey('getImport')]);
  useFreshAfter(list.data?.items.some(isGoingOn) ?? false);
  const thisMonth = monthNow(timeZone);
  const imported = list.data?.items
    .flatMap((one) => one.report.months)
    .toSorted()
    .at(-1);
  const month = isMonth(chosenMonth) ? chosenMonth : (imported ?? addMonths(thisMonth, -1));
  return (
    <Page title={t('administration.imports_title')} lead={t('administration.imports_lead')}>
      <Section title={t('administration.upload_title')}>
        <ImportUpload onStarted={(id) => setOpenId(id)} />
      </Section>
      <ImportList query={list} state={state} onOpen={setOpenId} />
      <Reconciliation
        month={month}
        actions={
          <MonthPicker value={month} max={thisMonth} onChange={(next) => setMonth(next, { replace: true })} />
        }
      />
      <ImportPanel
        importId={openId}
        onClose={() => setOpenId(undefined)}
        onReconcile={(next) => setMonth(next)}
      />
    </Page>
  );
}

/**
 * An import changes data on nearly every screen, so when the last one has ended, all cached data is
 * refetched.
 */
function useFreshAfter(isBusy: boolean): void {
  const cache = useQueryClient();
  const wasBusy = useRef(false);
  useEffect(() => {
    if (wasBusy.current && !isBusy) void cache.invalidateQueries();
    wasBusy.current = isBusy;
  }, [isBusy, cache]);
}
