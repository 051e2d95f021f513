// The Admin's list of quotes, a panel with one of them, and the editor, which replaces both.
import AddOutlined from '~icons/ic/outline-add';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { In } from '#kernel/contract.ts';
import { isId } from '#kernel/ids.ts';
import { currencyCodes } from '#kernel/money.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { ExportMenu } from '#platform/web/ui/ExportMenu.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { quoteStates, type Quote, type quotes } from '../contract.ts';
import { quotesApi, quotesKey, quotesQueries } from './api.ts';
import { EditQuote, NewQuote } from './QuoteEditor.tsx';
import { QuotePanel } from './QuotePanel.tsx';
import { stateTones } from './quote-words.ts';

/** Stored in the address instead of a quote's id. */
const newQuote = 'new';

export function QuotesScreen() {
  const [edited, setEdited] = useParam('edit');
  const [, setOpen] = useParam('quote');
  const close = (saved?: string) => {
    setEdited(undefined);
    if (saved !== undefined) setOpen(saved);
  };
  if (edited === newQuote) return <NewQuote onClose={close} />;
  if (isId('qot', edited)) return <EditQuote key={edited} quoteId={edited} onClose={close} />;
  return <List onNew={() => setEdited(newQuote)} onEdit={setEdited} />;
}

function List({ onNew, onEdit }: { onNew: () => void; onEdit: (id: string) => void }) {
  const { t } = useTranslation('quotes');
  const [open, setOpen] = useParam('quote');
  useLive('billing', [quotesKey()]);
  const state = useTableState({
    filters: { state: quoteStates, currency: currencyCodes },
    sort: '-createdAt',
  });
  const query = usePagedQuery(quotesQueries.listQuotes(state.query));
  const make = (
    <Button variant="contained" startIcon={<AddOutlined />} onClick={onNew}>
      {t('quotes.new')}
    </Button>
  );
  return (
    <Page title={t('quotes.title')} lead={t('quotes.lead')} actions={make}>
      <DataTable
        list="quotes"
        label={t('quotes.title')}
        columns={useColumns()}
        query={query}
        state={state}
        rowKey={(quote) => quote.id}
        rowName={(quote) => quote.number ?? quote.organization}
        searchLabel={t('quotes.search')}
        // used as: 'quotes.state_*'
        filters={{
          state: {
            label: t('quotes.column_state'),
            options: quoteStates.map((one) => ({ value: one, label: t(`quotes.state_${one}`) })),
          },
          currency: {
            label: t('quotes.column_currency'),
            options: currencyCodes.map((one) => ({ value: one, label: one })),
          },
        }}
        toolbar={<QuotesExport filter={state.query} />}
        empty={<EmptyState title={t('quotes.empty')} hint={t('quotes.empty_hint')} action={make} />}
        onRowClick={(quote) => setOpen(quote.id)}
      />
      <QuotePanel open={open} onClose={() => setOpen(undefined)} onEdit={onEdit} />
    </Page>
  );
}

function useColumns(): readonly Column<Quote>[] {
  const { t } = useTranslation('quotes');
  const format = useFormat();
  return [
    {
      key: 'number',
      label: t('quotes.column_number'),
      sortable: true,
      render: ({ number }) => (
        <Typography variant="body2" component="span" className="tabular" sx={{ whiteSpace: 'nowrap' }}>
          {number ?? t('quotes.no_number')}
        </Typography>
      ),
    },
    {
      key: 'organization',
      label: t('quotes.column_organization'),
      sortable: true,
      card: 'title',
      render: ({ organization }) => organization,
    },
    {
      key: 'state',
      label: t('quotes.column_state'),
      render: ({ state, hasDraft }) => (
        <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
          <StatusBadge tone={stateTones[state]} label={t(`quotes.state_${state}`)} />
          {hasDraft && state !== 'draft' && (
            <Typography variant="caption" color="textSecondary">
              {t('quotes.has_draft')}
            </Typography>
          )}
        </Stack>
      ),
    },
    {
      key: 'validUntil',
      label: t('quotes.column_validUntil'),
      sortable: true,
      render: ({ validUntil }) => (
        <Typography variant="body2" component="span" className="tabular" sx={{ whiteSpace: 'nowrap' }}>
          {format.dayTable(validUntil)}
        </Typography>
      ),
    },
    {
      key: 'createdAt',
      label: t('quotes.column_createdAt'),
      sortable: true,
      show: 'wide',
      card: 'hidden',
      render: ({ createdAt }) => <Moment at={createdAt} />,
    },
    {
      key: 'total',
      label: t('quotes.column_total'),
      align: 'right',
      sortable: true,
      render: ({ total }) => <Money amount={total} />,
    },
  ];
}

function QuotesExport({ filter }: { filter: In<typeof quotes.listQuotes> }) {
  const { t } = useTranslation('quotes');
  const language = useLanguage();
  const download = useDownload();
  // The file does not have the list's paging.
  const { limit: _limit, cursor: _cursor, ...asked } = filter;
  return (
    <ExportMenu
      label={t('quotes.export')}
      formats={[
        { value: 'csv', name: 'CSV', hint: t('quotes.export_csv') },
        { value: 'xlsx', name: 'Excel', hint: t('quotes.export_xlsx') },
      ]}
      onTake={(format) =>
        void download((options) => quotesApi.exportQuotes({ ...asked, format, language }, options))
      }
    />
  );
}
