// Ledger transactions as a journal: what happened, the accounts affected, debits and credits side by side.
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { ReactNode } from 'react';
import { isId } from '#kernel/ids.ts';
import { accountKinds, transactionKinds } from '#features/invoicing/ledger/contract.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import type { Transaction } from '../contract.ts';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { useAccountName } from './account-name.ts';
import { booksApi, booksQueries } from './api.ts';
import { Days, useDayParam } from '#platform/web/ui/Day.tsx';
import { Files } from './Files.tsx';
import { ReferenceLink } from './ReferenceLink.tsx';

type Entry = Transaction['entries'][number];

export function Transactions() {
  const { t } = useTranslation('books');
  const language = useLanguage();
  const [from, setFrom] = useDayParam('from');
  const [to, setTo] = useDayParam('to');
  const [wanted, setWanted] = useParam('organization');
  const organizationId = isId('org', wanted) ? wanted : undefined;
  const state = useTableState({
    filters: { kind: transactionKinds, accountKind: accountKinds },
    alsoInView: ['from', 'to', 'organization'],
  });
  const { q, kind, accountKind, limit, cursor } = state.query;
  const filter = {
    ...(q !== undefined && { q }),
    ...(kind && { kind }),
    ...(accountKind && { accountKind }),
    ...(from && { from }),
    ...(to && { to }),
    ...(organizationId && { organizationId }),
  };
  const query = usePagedQuery(
    booksQueries.listTransactions({ ...filter, limit, ...(cursor !== undefined && { cursor }) }),
  );
  const begin = (change: () => void) => {
    change();
    state.openFirst();
  };
  const isNarrowed =
    state.isNarrowed || from !== undefined || to !== undefined || organizationId !== undefined;
  // Clears everything in one change of the URL: a second change at the same moment would start from the old
  // URL and undo the first.
  const clear = () => state.views.open('');
  // The transaction's description is aligned with its first entry.
  return (
    <Box sx={{ '& tbody td, & tbody th': { verticalAlign: 'top', lineHeight: '24px' } }}>
      <DataTable
        list="ledger-transactions"
        label={t('books.transactions')}
        columns={useColumns()}
        query={query}
        state={{ ...state, isNarrowed, clear }}
        rowKey={(one) => one.transactionId}
        rowName={(one) => one.reference.billNumber ?? one.reference.id}
        searchLabel={t('books.search_transactions')}
        // used as: 'books.kind_*', 'books.account_*'
        filters={{
          kind: {
            label: t('books.kind'),
            options: transactionKinds.map((one) => ({ value: one, label: t(`books.kind_${one}`) })),
          },
          accountKind: {
            label: t('books.account'),
            options: accountKinds.map((one) => ({ value: one, label: t(`books.account_${one}`) })),
          },
        }}
        moreFilters={
          <>
            <Days
              from={{ label: t('books.from'), value: from, onChange: (day) => begin(() => setFrom(day)) }}
              to={{ label: t('books.to'), value: to, onChange: (day) => begin(() => setTo(day)) }}
            />
            {organizationId && (
              <Chip
                label={organizationName(query.data?.items, organizationId)}
                onDelete={() => begin(() => setWanted(undefined))}
              />
            )}
          </>
        }
        toolbar={
          (query.data?.total ?? 0) > 0 && (
            <Files
              name={t('books.transactions')}
              call={(format, options) =>
                booksApi.exportTransactions({ ...filter, format, language }, options)
              }
            />
          )
        }
        empty={<EmptyState title={t('books.empty')} hint={t('books.empty_hint')} />}
      />
    </Box>
  );
}

/** The name of the filtered organization, taken from its entries. */
const organizationName = (items: readonly Transaction[] | undefined, organizationId: string): string =>
  items?.flatMap((one) => one.entries).find((entry) => entry.organizationId === organizationId)
    ?.organization ?? organizationId;

/** One line per entry with equal height in every column, so that the columns line up. */
function Lines({ entries, children }: { entries: readonly Entry[]; children: (entry: Entry) => ReactNode }) {
  return entries.map((entry, index) => (
    <Box
      key={index}
      sx={{
        lineHeight: '24px',
        minHeight: 24,
        overflow: 'hidden',
        textOverflow: 'ellipsis',
        whiteSpace: 'nowrap',
      }}
    >
      {children(entry)}
    </Box>
  ));
}

function useColumns(): readonly Column<Transaction>[] {
  const { t } = useTranslation('books');
  const nameOf = useAccountName();
  const isPhone = useMediaQuery(useTheme().breakpoints.down('sm'));
  const subjectColumn: Column<Transaction> = {
    key: 'kind',
    label: t('books.reference'),
    card: 'title',
    render: ({ kind, reference }) => <ReferenceLink kind={kind} reference={reference} reader="admin" />,
  };
  const at: Column<Transaction> = {
    key: 'at',
    label: t('books.column_at'),
    render: (one) => <Moment at={one.at} as="dateTime" />,
  };
  const side = (key: 'debit' | 'credit'): Column<Transaction> => ({
    key,
    label: t(`books.column_${key}`),
    align: 'right',
    render: ({ entries }) => (
      <Lines entries={entries}>{(entry) => entry[key] && <Money amount={entry[key]} />}</Lines>
    ),
  });
  // On a phone debit and credit are below the account's name.
  if (isPhone)
    return [
      subjectColumn,
      at,
      ...(['debit', 'credit'] as const).map((key): Column<Transaction> => ({
        key,
        label: t(`books.column_${key}`),
        render: ({ entries }) =>
          entries.flatMap((entry) =>
            entry[key]
              ? [
                  <Box
                    key={entry.accountId}
                    sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', columnGap: 1 }}
                  >
                    <span>{nameOf(entry)}</span>
                    <Box component="span" sx={{ marginInlineStart: 'auto' }}>
                      <Money amount={entry[key]} />
                    </Box>
                  </Box>,
                ]
              : [],
          ),
      })),
    ];
  return [
    at,
    subjectColumn,
    {
      key: 'account',
      label: t('books.account'),
      render: ({ entries }) => (
        <Lines entries={entries}>
          {(entry) => (
            <Box component="span" title={nameOf(entry)} sx={{ paddingInlineStart: entry.credit ? 2 : 0 }}>
              {nameOf(entry)}
            </Box>
          )}
        </Lines>
      ),
    },
    side('debit'),
    side('credit'),
  ];
}
