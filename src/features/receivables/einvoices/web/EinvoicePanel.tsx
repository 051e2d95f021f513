// One e-invoice beside the list: what needs attention, its content, its allowances and every attempt.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { isId, type Id } from '#kernel/ids.ts';
import { billingPaths } from '#features/invoicing/billing/contract.ts';
import type { EinvoiceDetail } from '../contract.ts';
import { useDownload } from '#platform/web/api/use-download.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { AllowanceList } from './AllowanceList.tsx';
import { einvoicesApi, einvoicesKey, einvoicesQueries } from './api.ts';
import { AttemptList } from './AttemptList.tsx';
import { BuyerDialog } from './BuyerDialog.tsx';
import { EinvoiceFacts, EinvoiceItems } from './EinvoicePaper.tsx';
import { EinvoiceState } from './EinvoiceState.tsx';
import { useErrorWords } from './error-words.ts';
import { chosenOf, VoidDialog } from './VoidDialog.tsx';

export function EinvoicePanel({
  einvoiceId,
  onClose,
}: {
  einvoiceId: string | undefined;
  onClose: () => void;
}) {
  const { t } = useTranslation('einvoices');
  const known = isId('ein', einvoiceId) ? einvoiceId : undefined;
  return (
    <SidePanel open={known !== undefined} title={t('einvoices.detail')} onClose={onClose} width={560}>
      {known !== undefined && <OneEinvoice einvoiceId={known} />}
    </SidePanel>
  );
}

function OneEinvoice({ einvoiceId }: { einvoiceId: Id<'ein'> }) {
  return (
    <QueryState query={useQuery(einvoicesQueries.adminGetEinvoice({ einvoiceId }))}>
      {(one) => <Content one={one} />}
    </QueryState>
  );
}

function Content({ one }: { one: EinvoiceDetail }) {
  const { t } = useTranslation('einvoices');
  return (
    <Stack sx={{ gap: 3 }}>
      <Stack direction="row" sx={{ gap: 2, alignItems: 'flex-start', justifyContent: 'space-between' }}>
        <Box sx={{ minWidth: 0 }}>
          <Typography variant="h3" component="p" className="tabular">
            {one.number ?? t('einvoices.no_number_yet')}
          </Typography>
          <Typography variant="kpi" component="p">
            <Money amount={one.total} />
          </Typography>
        </Box>
        <EinvoiceState state={one.state} />
      </Stack>
      <Standing one={one} />
      <Actions one={one} />
      <EinvoiceFacts
        one={one}
        more={[
          [t('einvoices.organization'), one.organization],
          [
            t('einvoices.bill'),
            <Link key="bill" to={`${billingPaths.admin}?bill=${one.billId}`}>
              {one.billNumber}
            </Link>,
          ],
          // used as: 'einvoices.provider_*'
          ...(one.provider === null
            ? []
            : [[t('einvoices.provider'), t(`einvoices.provider_${one.provider}`)] as const]),
          ...(one.uploadedAt
            ? [
                [
                  t('einvoices.uploaded_at'),
                  <Moment key="uploaded" at={one.uploadedAt} as="dateTime" />,
                ] as const,
              ]
            : one.dueAt && one.voidedAt === null
              ? [[t('einvoices.due_at'), <Moment key="due" at={one.dueAt} as="dateTime" />] as const]
              : []),
        ]}
      />
      <EinvoiceItems one={one} />
      <AllowanceList one={one} />
      <AttemptList one={one} />
    </Stack>
  );
}

/** Why it is waiting or failed, and what happens next. */
function Standing({ one }: { one: EinvoiceDetail }) {
  const { t } = useTranslation('einvoices');
  const words = useErrorWords();
  if (one.isUnsure)
    return (
      <Alert severity="warning">
        {t('einvoices.unsure_hint')}
        {one.nextAttemptAt && (
          <>
            {' '}
            {t('einvoices.next_attempt')} <Moment at={one.nextAttemptAt} as="dateTime" />
          </>
        )}
      </Alert>
    );
  if (one.errorCode === null) return null;
  return (
    <Alert severity={one.state === 'failed' ? 'error' : 'warning'}>
      {words(one.errorCode, one.errorWords ?? '')}
    </Alert>
  );
}

function Actions({ one }: { one: EinvoiceDetail }) {
  const { t } = useTranslation('einvoices');
  const [asking, setAsking] = useState<'buyer' | 'void'>();
  const close = () => setAsking(undefined);
  const invalidates = [einvoicesKey()];
  const retry = useCall(einvoicesApi.retryEinvoice, {
    invalidates,
    onSuccess: () => toast.success(t('einvoices.retry_done')),
    onError: (error) => toast.error(error.message),
  });
  const change = useCall(einvoicesApi.changeBuyer, { invalidates });
  const uploaded = useCall(einvoicesApi.markEinvoiceUploaded, {
    invalidates,
    onSuccess: () => toast.success(t('einvoices.mark_uploaded_done')),
    onError: (error) => toast.error(error.message),
  });
  const download = useDownload();
  const { may } = one;
  const hasAllowable =
    one.total.minor > one.allowed.minor &&
    (one.state === 'uploaded' || one.state === 'uploading' || one.state === 'allowed');
  if (!Object.values(may).includes(true) && !hasAllowable && !one.hasProof) return null;
  return (
    <Stack direction="row" role="group" sx={{ gap: 1, flexWrap: 'wrap' }}>
      {may.retry && (
        <Button
          variant={one.state === 'failed' ? 'contained' : 'outlined'}
          loading={retry.isPending}
          onClick={() => retry.mutate({ einvoiceId: one.id })}
        >
          {t('einvoices.retry')}
        </Button>
      )}
      {may.markUploaded && (
        <Button
          variant="outlined"
          loading={uploaded.isPending}
          onClick={() => uploaded.mutate({ einvoiceId: one.id })}
        >
          {t('einvoices.mark_uploaded')}
        </Button>
      )}
      {may.changeBuyer && (
        <Button variant="outlined" aria-haspopup="dialog" onClick={() => setAsking('buyer')}>
          {t('einvoices.change_buyer')}
        </Button>
      )}
      {one.hasProof && (
        <Button
          variant="outlined"
          onClick={() =>
            void download((options) => einvoicesApi.adminEinvoiceProof({ einvoiceId: one.id }, options))
          }
        >
          {t('einvoices.proof')}
        </Button>
      )}
      {one.hasProof && (
        <Button
          variant="outlined"
          onClick={() =>
            void download((options) =>
              einvoicesApi.adminEinvoiceProof({ einvoiceId: one.id, isCopy: true }, options),
            )
          }
        >
          {t('einvoices.proof_copy')}
        </Button>
      )}
      {hasAllowable && (
        <Button component={Link} to={`${billingPaths.admin}?bill=${one.billId}`} variant="outlined">
          {t('einvoices.allow_by_credit')}
        </Button>
      )}
      {(may.void || may.undo) && (
        <Button variant="outlined" color="error" aria-haspopup="dialog" onClick={() => setAsking('void')}>
          {t(may.void ? 'einvoices.void' : 'einvoices.undo')}
        </Button>
      )}
      {asking === 'void' && <VoidDialog one={one} onClose={close} />}
      {asking === 'buyer' && (
        <BuyerDialog
          title={t('einvoices.change_buyer')}
          buyer={chosenOf(one)}
          offered={one.keeps}
          done={t('einvoices.change_buyer_done')}
          save={(buyer) => change.mutateAsync({ einvoiceId: one.id, ...buyer })}
          onClose={close}
        />
      )}
    </Stack>
  );
}
