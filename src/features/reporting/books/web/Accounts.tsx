// Accounts with their balances; a row opens the account's statement.
import { useNavigate } from 'react-router';
import { accountKinds } from '#features/invoicing/ledger/contract.ts';
import { currencyCodes } from '#kernel/money.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import type { Account } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { useAccountName } from './account-name.ts';
import { AccountPanel } from './AccountPanel.tsx';
import { booksQueries } from './api.ts';

export function Accounts() {
  const { t } = useTranslation('books');
  const nameOf = useAccountName();
  const navigate = useNavigate();
  const [open, setOpen] = useParam('account');
  const state = useTableState({ filters: { kind: accountKinds, currency: currencyCodes }, sort: 'owner' });
  const query = usePagedQuery(booksQueries.listAccounts(state.query));
  const side = (key: 'debit' | 'credit'): Column<Account> => ({
    key,
    label: t(`books.column_${key}`),
    align: 'right',
    render: (account) => account[key] && <Money amount={account[key]} />,
  });
  const columns: readonly Column<Account>[] = [
    {
      key: 'owner',
      label: t('books.organization'),
      sortable: true,
      card: 'title',
      render: (account) => account.organization ?? t('books.platform'),
    },
    // used as: 'books.account_*'
    {
      key: 'kind',
      label: t('books.account'),
      render: (account) => t(`books.account_${account.accountKind}`),
    },
    { key: 'currency', label: t('books.currency'), render: (account) => account.currency },
    side('debit'),
    side('credit'),
  ];
  return (
    <>
      <DataTable
        list="ledger-accounts"
        label={t('books.accounts')}
        columns={columns}
        query={query}
        state={state}
        rowKey={(account) => account.accountId}
        rowName={nameOf}
        searchLabel={t('books.search_accounts')}
        filters={{
          kind: {
            label: t('books.account'),
            options: accountKinds.map((one) => ({ value: one, label: t(`books.account_${one}`) })),
          },
          currency: {
            label: t('books.currency'),
            options: currencyCodes.map((one) => ({ value: one, label: one })),
          },
        }}
        empty={<EmptyState title={t('books.empty')} hint={t('books.empty_hint')} />}
        rowActions={({ accountId, organizationId }) => [
          { label: t('books.statement'), onClick: () => setOpen(accountId) },
          ...(organizationId
            ? [
                {
                  label: t('books.transactions'),
                  onClick: () => void navigate(`?view=transactions&organization=${organizationId}`),
                },
              ]
            : []),
        ]}
        onRowClick={(account) => setOpen(account.accountId)}
      />
      <AccountPanel accountId={open} onClose={() => setOpen(undefined)} />
    </>
  );
}
