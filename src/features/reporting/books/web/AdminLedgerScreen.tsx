// The ledger for Admins: trial balance, transactions, accounts, and checks of the books.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { PageViews, usePageView } from '#platform/web/ui/PageViews.tsx';
import { Parts } from '#platform/web/ui/Parts.tsx';
import { Accounts } from './Accounts.tsx';
import { booksApi, booksKey, booksQueries } from './api.ts';
import { Checks } from './Checks.tsx';
import { DeferredRevenue } from './DeferredRevenue.tsx';
import { Transactions } from './Transactions.tsx';
import { TrialBalance } from './TrialBalance.tsx';

const views = ['trial_balance', 'transactions', 'accounts', 'checks'] as const;

export function AdminLedgerScreen() {
  const { t } = useTranslation('books');
  const [view, open] = usePageView(views);
  useLive('billing', [booksKey()]);
  // used as: 'books.trial_balance', 'books.transactions', 'books.accounts', 'books.checks'
  return (
    <Page title={t('books.title')} lead={t('books.lead')}>
      <PageViews
        label={t('books.views')}
        views={views.map((one) => [one, t(`books.${one}`)])}
        open={view}
        onOpen={open}
      >
        {view === 'trial_balance' && (
          <Parts>
            <TrialBalance />
            <DeferredRevenue />
          </Parts>
        )}
        {view === 'transactions' && <Transactions />}
        {view === 'accounts' && <Accounts />}
        {view === 'checks' && (
          <Checks
            list={booksQueries.listChecks()}
            start={booksApi.runCheck}
            title={t('books.check')}
            lead={t('books.check_lead')}
          />
        )}
      </PageViews>
    </Page>
  );
}
