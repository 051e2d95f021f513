// What can be exported now for a day or a month: its vouchers, parts without an account, the comparison with
// the ledger, and the export itself.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { isDay, isMonth, type BillingMonth, type LocalDay } from '#kernel/shape.ts';
import { addDays, addMonths } from '#kernel/time.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { dayNow, monthNow } from '#platform/web/time/months.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Day } from '#platform/web/ui/Day.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { MonthPicker } from '#platform/web/ui/MonthPicker.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { Parts } from '#platform/web/ui/Parts.tsx';
import { accountingPaths, type JournalPreview } from '../contract.ts';
import { AccountSums } from './AccountSums.tsx';
import { accountingApi, accountingKey, accountingQueries } from './api.ts';
import { LedgerComparison } from './LedgerComparison.tsx';
import { useAccountName, usePartName, usePeriodName } from './names.ts';
import { Vouchers } from './Vouchers.tsx';

/** The period in the URL; last month by default. */
function usePeriod() {
  const { t } = useTranslation('accounting');
  const zone = useBrand((brand) => brand.timeZone);
  const [chosen, setChosen] = useParam('period');
  const lastMonth = addMonths(monthNow(zone), -1);
  const period: BillingMonth | LocalDay = isMonth(chosen) || isDay(chosen) ? chosen : lastMonth;
  const set = (next: string | undefined) => setChosen(next, { replace: true });
  const choice = (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
      <SelectBox
        label={t('accounting.unit')}
        value={isDay(period) ? 'day' : 'month'}
        options={[
          { value: 'month', label: t('accounting.by_month') },
          { value: 'day', label: t('accounting.by_day') },
        ]}
        onChange={(unit) => set(unit === 'day' ? addDays(dayNow(zone), -1) : undefined)}
      />
      {isDay(period) ? (
        <Day label={t('accounting.day')} value={period} onChange={set} />
      ) : (
        <MonthPicker value={period} max={monthNow(zone)} onChange={set} />
      )}
    </Stack>
  );
  return { period, choice };
}

export function Journal() {
  const { t } = useTranslation('accounting');
  const { period, choice } = usePeriod();
  const query = usePagedQuery(accountingQueries.previewJournal({ period }));
  return (
    <Parts>
      <Section title={t('accounting.preview')} lead={t('accounting.preview_lead')}>
        <Stack sx={{ gap: 2 }}>
          {choice}
          <QueryState query={query} skeleton={<Lines count={2} />}>
            {(preview) => <Standing preview={preview} period={period} />}
          </QueryState>
        </Stack>
      </Section>
      {query.data && query.data.unmapped.length === 0 && (
        <PreviewResult preview={query.data} period={period} />
      )}
    </Parts>
  );
}

/** Whether the period can be exported, the obstacles, and the button. */
function Standing({ preview, period }: { preview: JournalPreview; period: BillingMonth | LocalDay }) {
  const { t } = useTranslation('accounting');
  const format = useFormat();
  const periodName = usePeriodName();
  const [, setPeriodParam] = useParam('view');
  const make = useCall(accountingApi.makeJournal, {
    invalidates: [accountingKey('previewJournal'), accountingKey('listJournals')],
    onSuccess: ({ vouchers }) => {
      toast.success(t('accounting.made', { vouchers: format.number(vouchers) }));
      setPeriodParam('exports');
    },
    onError: (error) => toast.failure(error),
  });
  const { isOver, earlier, exportedTransactions, transactions, unmapped, notInBig5 } = preview;
  const isReady = isOver && transactions > 0 && unmapped.length === 0;
  return (
    <Stack sx={{ gap: 1.5, alignItems: 'flex-start' }}>
      {earlier > 0 && (
        <Alert severity="info" sx={{ width: '100%' }}>
          {t('accounting.already', { count: earlier, transactions: format.number(exportedTransactions) })}
        </Alert>
      )}
      {!isOver && (
        <Alert severity="info" sx={{ width: '100%' }}>
          {t('accounting.not_over')}
        </Alert>
      )}
      {unmapped.length > 0 && <MissingAccounts unmapped={unmapped} />}
      {notInBig5.length > 0 && (
        <Alert severity="warning" sx={{ width: '100%' }}>
          <Typography variant="subtitle2" component="p">
            {t('accounting.big5_title')}
          </Typography>
          {t('accounting.big5_hint', { letters: notInBig5.slice(0, 20).join(' ') })}
        </Alert>
      )}
      {transactions === 0 ? (
        <Box sx={{ width: '100%' }}>
          <EmptyState compact title={t('accounting.nothing')} hint={t('accounting.nothing_hint')} />
        </Box>
      ) : (
        <>
          {unmapped.length === 0 && (
            <Typography variant="body2">
              {t('accounting.vouchers_lead', {
                vouchers: format.number(preview.vouchers),
                lines: format.number(preview.lines),
                transactions: format.number(transactions),
              })}
            </Typography>
          )}
          <Button
            variant="contained"
            disabled={!isReady}
            loading={make.isPending}
            onClick={() => make.mutate({ period })}
          >
            {t(earlier > 0 ? 'accounting.make_more' : 'accounting.make', { period: periodName(period) })}
          </Button>
        </>
      )}
    </Stack>
  );
}

function MissingAccounts({ unmapped }: Pick<JournalPreview, 'unmapped'>) {
  const { t } = useTranslation('accounting');
  const accountName = useAccountName();
  const partName = usePartName();
  return (
    <Alert severity="warning" sx={{ width: '100%' }}>
      <Typography variant="subtitle2" component="p">
        {t('accounting.unmapped_title')}
      </Typography>
      {t('accounting.unmapped_hint')}
      <Stack component="ul" sx={{ margin: '4px 0 0', paddingInlineStart: 2.5 }}>
        {unmapped.map((part) => (
          <li
            key={`${part.accountKind} ${part.currency ?? ''} ${part.taxRate ?? ''} ${part.service?.id ?? ''}`}
          >
            {`${accountName(part.accountKind)} · ${partName(part)}`}
          </li>
        ))}
      </Stack>
      <Button
        color="inherit"
        variant="outlined"
        size="small"
        component={RouterLink}
        to={`${accountingPaths.journals}?view=accounts`}
        sx={{ marginTop: 1 }}
      >
        {t('accounting.open_mappings')}
      </Button>
    </Alert>
  );
}

function PreviewResult({ preview, period }: { preview: JournalPreview; period: BillingMonth | LocalDay }) {
  const { accounts, totals, proof, shown, vouchers } = preview;
  return (
    <>
      {accounts.length > 0 && <AccountSums accounts={accounts} totals={totals} />}
      {proof.length > 0 && <LedgerComparison proof={proof} period={period} />}
      {shown.length > 0 && <Vouchers vouchers={shown} total={vouchers} />}
    </>
  );
}
