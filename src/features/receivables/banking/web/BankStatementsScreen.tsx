// Bank statements: open decisions first, then all rows, whether bank and ledger agree, and the uploads.
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { Grid } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { bankingApi, bankingKey, bankingQueries } from './api.ts';
import { BankFigures } from './BankFigures.tsx';
import { BankRows } from './BankRows.tsx';
import { CertainBar } from './CertainBar.tsx';
import { LateTransfers } from './LateTransfers.tsx';
import { Reconciliation } from './Reconciliation.tsx';
import { Statements } from './Statements.tsx';
import { UploadDialog } from './UploadDialog.tsx';

const invalidates = [bankingKey()];

export function BankStatementsScreen() {
  const { t } = useTranslation('banking');
  const format = useFormat();
  const [isUploading, setIsUploading] = useState(false);
  useLive('billing', invalidates);
  const query = useQuery(bankingQueries.bankOverview());
  const match = useCall(bankingApi.matchRows, {
    invalidates,
    onSuccess: ({ matched, open }) =>
      toast.success(
        t('banking.matched_done', { matched: format.number(matched), open: format.number(open) }),
      ),
    onError: (error) => toast.error(error.message),
  });
  return (
    <Page
      title={t('banking.title')}
      lead={t('banking.lead')}
      actions={
        <>
          <Button variant="outlined" loading={match.isPending} onClick={() => match.mutate({})}>
            {t('banking.match')}
          </Button>
          <Button aria-haspopup="dialog" variant="contained" onClick={() => setIsUploading(true)}>
            {t('banking.upload')}
          </Button>
        </>
      }
    >
      <BankFigures overview={query.data} />
      {query.data?.certain.map((each) => (
        <CertainBar key={`${each.total.currency} ${each.total.minor > 0n}`} certain={each} />
      ))}
      <BankRows accounts={query.data?.accounts ?? []} />
      <Grid columns={2}>
        <Reconciliation query={query} />
        <LateTransfers query={query} />
      </Grid>
      <Statements />
      {isUploading && <UploadDialog onClose={() => setIsUploading(false)} />}
    </Page>
  );
}
