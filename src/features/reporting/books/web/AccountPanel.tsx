// One account's statement next to the list: opening balance, entries with the balance after each, closing
// balance.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { useAccountName } from './account-name.ts';
import { booksApi, booksKey } from './api.ts';
import { Days, useDayParam } from '#platform/web/ui/Day.tsx';
import { Files } from './Files.tsx';
import { StatementTable } from './StatementTable.tsx';

export function AccountPanel({ accountId, onClose }: { accountId: string | undefined; onClose: () => void }) {
  const { t } = useTranslation('books');
  return (
    <SidePanel open={accountId !== undefined} title={t('books.statement')} onClose={onClose} width={920}>
      {accountId !== undefined && <Statement accountId={accountId} />}
    </SidePanel>
  );
}

function Statement({ accountId }: { accountId: string }) {
  const { t } = useTranslation('books');
  const language = useLanguage();
  const nameOf = useAccountName();
  const [from, setFrom] = useDayParam('from');
  const [to, setTo] = useDayParam('to');
  const range = { accountId, ...(from && { from }), ...(to && { to }) };
  const query = useInfiniteQuery({
    queryKey: [...booksKey('accountStatement'), range],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      booksApi.accountStatement({ ...range, ...(pageParam !== '' && { cursor: pageParam }) }, { signal }),
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
  return (
    <Stack sx={{ gap: 2 }}>
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
        <Days
          from={{ label: t('books.from'), value: from, onChange: setFrom }}
          to={{ label: t('books.to'), value: to, onChange: setTo }}
        />
        <Stack sx={{ marginInlineStart: 'auto' }}>
          <Files
            name={t('books.statement')}
            call={(format, options) => booksApi.exportAccount({ ...range, format, language }, options)}
          />
        </Stack>
      </Stack>
      <QueryState query={query} skeleton={<Block height={320} />}>
        {({ pages }) => {
          const [first] = pages;
          if (!first) return null;
          return (
            <>
              <Typography variant="h3">
                {nameOf(first.account)} · {first.account.currency}
              </Typography>
              <StatementTable
                label={t('books.statement_of', { account: nameOf(first.account) })}
                statement={{ ...first, items: pages.flatMap((page) => page.items) }}
                reader="admin"
                sides={[
                  { key: 'debit', label: t('books.column_debit'), sum: first.debits },
                  { key: 'credit', label: t('books.column_credit'), sum: first.credits },
                ]}
                after={t('books.column_after')}
                isWhole={!query.hasNextPage}
              />
              {query.hasNextPage && (
                <Button onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
                  {t('books.more')}
                </Button>
              )}
            </>
          );
        }}
      </QueryState>
    </Stack>
  );
}
