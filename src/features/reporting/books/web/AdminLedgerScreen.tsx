// The ledger as an Admin reads it: trial balance, transactions, accounts, and the checks of the books.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Tab from '@mui/material/Tab';
import { useId } from 'react';
import { useAddressParams } from '#platform/web/routing/address-params.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { ScrollableTabs } from '#platform/web/ui/ScrollableTabs.tsx';
import { Accounts } from './Accounts.tsx';
import { booksApi, booksKey, booksQueries } from './api.ts';
import { Checks } from './Checks.tsx';
import { DeferredRevenue } from './DeferredRevenue.tsx';
import { Transactions } from './Transactions.tsx';
import { TrialBalance } from './TrialBalance.tsx';

const views = ['trial_balance', 'transactions', 'accounts', 'checks'] as const;
type View = (typeof views)[number];

export function AdminLedgerScreen() {
  const { t } = useTranslation('books');
  const id = useId();
  const [params, setParams] = useAddressParams();
  const view: View = views.find((one) => one === params.get('view')) ?? 'trial_balance';
  useLive('billing', [booksKey()]);
  // Each view has its own filters, so the address is reset when the view changes.
  const open = (next: View) =>
    setParams(() => new URLSearchParams(next === 'trial_balance' ? {} : { view: next }));
  // used as: 'books.trial_balance', 'books.transactions', 'books.accounts', 'books.checks'
  return (
    <Page title={t('books.title')} lead={t('books.lead')}>
      <Box sx={{ minWidth: 0 }}>
        <ScrollableTabs
          value={view}
          onChange={(_, next: View) => open(next)}
          aria-label={t('books.views')}
          sx={{ marginBottom: 2 }}
        >
          {views.map((one) => (
            <Tab
              key={one}
              value={one}
              label={t(`books.${one}`)}
              id={`${id}-${one}`}
              aria-controls={`${id}-panel`}
            />
          ))}
        </ScrollableTabs>
        <Box role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${view}`}>
          {view === 'trial_balance' && (
            <Stack sx={{ gap: { xs: 2, sm: 3 } }}>
              <TrialBalance />
              <DeferredRevenue />
            </Stack>
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
        </Box>
      </Box>
    </Page>
  );
}
