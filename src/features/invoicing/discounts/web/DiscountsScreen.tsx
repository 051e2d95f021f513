// The Admin's list of discounts, a panel with one of them, the form to create one, and the order in which
// several discounts reduce a bill.
import { inLanguage } from '#kernel/language.ts';
import Box from '@mui/material/Box';
import { isId } from '#kernel/ids.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { ExportMenu } from '#platform/web/ui/ExportMenu.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { discountExportFormats, discountStates, type Discount } from '../contract.ts';
import { discountsApi, discountsKey, discountsQueries } from './api.ts';
import { Code } from './Code.tsx';
import { DiscountPanel } from './DiscountPanel.tsx';
import { NewDiscountPanel } from './NewDiscountPanel.tsx';
import { StackingOrder } from './StackingOrder.tsx';
import { DiscountBadge } from './state-badges.tsx';
import { Sums } from './Sums.tsx';
import { useTermsWords } from './terms-words.ts';

/** Stored in the address instead of a discount's id. */
const newDiscount = 'new';

export function DiscountsScreen() {
  const { t } = useTranslation('discounts');
  const { language } = useFormat();
  const [open, setOpen] = useParam('discount');
  useLive('billing', [discountsKey()]);
  const state = useTableState({ filters: { state: discountStates }, sort: '-createdAt' });
  const query = usePagedQuery(discountsQueries.listDiscounts(state.query));
  const download = useDownload();
  const { q, state: standing } = state.query;
  const add = <AddButton onClick={() => setOpen(newDiscount)}>{t('discounts.add')}</AddButton>;
  return (
    <Page title={t('discounts.title')} lead={t('discounts.lead')} actions={add}>
      <DataTable
        list="discounts"
        label={t('discounts.title')}
        columns={useDiscountColumns()}
        query={query}
        state={state}
        rowKey={(discount) => discount.id}
        rowName={(discount) => inLanguage(discount.name, language)}
        searchLabel={t('discounts.search')}
        filters={{
          // used as: 'discounts.state_*'
          state: {
            label: t('discounts.column_state'),
            options: discountStates.map((one) => ({ value: one, label: t(`discounts.state_${one}`) })),
          },
        }}
        toolbar={
          <ExportMenu
            label={t('discounts.export')}
            // used as: 'discounts.export_*'
            formats={discountExportFormats.map((value) => ({
              value,
              name: t(`discounts.export_${value}`),
              hint: t(`discounts.export_${value}_hint`),
            }))}
            onTake={(format) =>
              void download((options) =>
                discountsApi.exportDiscounts(
                  { format, language, ...(q && { q }), ...(standing && { state: standing }) },
                  options,
                ),
              )
            }
          />
        }
        empty={<EmptyState title={t('discounts.empty')} hint={t('discounts.empty_hint')} action={add} />}
        onRowClick={(discount) => setOpen(discount.id)}
      />
      <StackingOrder />
      {open === newDiscount && (
        <NewDiscountPanel
          onClose={() => setOpen(undefined)}
          onMade={(discount) => setOpen(discount.id, { replace: true })}
        />
      )}
      {isId('dsc', open) && <DiscountPanel key={open} discountId={open} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

function useDiscountColumns(): readonly Column<Discount>[] {
  const { t } = useTranslation('discounts');
  const format = useFormat();
  const words = useTermsWords();
  return [
    {
      key: 'name',
      label: t('discounts.column_name'),
      card: 'title',
      render: ({ name }) => inLanguage(name, format.language),
    },
    {
      key: 'code',
      label: t('discounts.column_code'),
      sortable: true,
      render: ({ code }) =>
        code === null ? (
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {t('discounts.no_code')}
          </Box>
        ) : (
          <Code>{code}</Code>
        ),
    },
    {
      key: 'terms',
      label: t('discounts.column_terms'),
      width: '24%',
      render: (discount) => words(discount).short,
    },
    {
      key: 'scope',
      width: '22%',
      label: t('discounts.column_scope'),
      show: 'wide',
      render: (discount) => words(discount).scope ?? t('discounts.scope_all'),
    },
    {
      key: 'redemptions',
      label: t('discounts.column_redemptions'),
      align: 'right',
      sortable: true,
      render: ({ redemptions, maxRedemptions }) => (
        <Box component="span" className="tabular" sx={{ whiteSpace: 'nowrap' }}>
          {maxRedemptions === null
            ? format.number(redemptions)
            : t('discounts.used_of', {
                used: format.number(redemptions),
                most: format.number(maxRedemptions),
              })}
        </Box>
      ),
    },
    {
      key: 'saved',
      label: t('discounts.column_saved'),
      align: 'right',
      render: ({ saved }) => <Sums amounts={saved} none={t('discounts.nothing_saved')} />,
    },
    {
      key: 'state',
      label: t('discounts.column_state'),
      render: ({ state }) => <DiscountBadge state={state} />,
    },
    {
      key: 'createdAt',
      label: t('discounts.column_created'),
      sortable: true,
      show: 'wide',
      card: 'hidden',
      render: ({ createdAt }) => <Moment at={createdAt} />,
    },
  ];
}
