// Reissues the bill of a month: what voiding reverses, and the replacing bill, line by line.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { subtractMoney } from '#kernel/money.ts';
import type { Bill, BillDetail } from '#features/invoicing/billing/contract.ts';
import { BillLines, billingKey } from '#features/invoicing/billing/web/parts.ts';
import type { ReissuePreview } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { creditsApi, creditsKey, creditsQueries } from './api.ts';
import { Outcome } from './Outcome.tsx';
import { PreviewedDialog } from './PreviewedDialog.tsx';
import { usePreview } from './use-preview.ts';

export function ReissueDialog({
  bill,
  onDone,
  onClose,
}: {
  bill: BillDetail;
  onDone: (bill: Bill) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('credits');
  const isVoid = bill.state === 'void';
  const [reason, setReason] = useState('');
  const preview = usePreview(creditsQueries.previewReissue({ billId: bill.id }));
  const reissue = useCall(creditsApi.reissueBill, {
    invalidates: [creditsKey(), billingKey()],
    onSuccess: (made) => {
      toast.success(t('credits.reissued', { number: made.number }));
      onClose();
      onDone(made);
    },
  });
  return (
    <PreviewedDialog
      title={t('credits.reissue_title', { number: bill.number })}
      reason={isVoid ? undefined : reason}
      onReason={setReason}
      problem={reissue.error}
      isBusy={reissue.isPending}
      isReady={preview.isCurrent && preview.data?.bill !== null}
      confirmLabel={t(isVoid ? 'credits.reissue_button' : 'credits.void_and_reissue')}
      tone={isVoid ? 'primary' : 'error'}
      onConfirm={() => reissue.mutate({ billId: bill.id, ...(!isVoid && { reason: reason.trim() }) })}
      onClose={onClose}
      ask={
        <Typography variant="body2" color="textSecondary">
          {t('credits.reissue_lead')}
        </Typography>
      }
    >
      <QueryState query={preview} skeleton={<Lines count={8} />}>
        {(data) => <ReplacementPreview preview={data} />}
      </QueryState>
    </PreviewedDialog>
  );
}

function ReplacementPreview({ preview }: { preview: ReissuePreview }) {
  const { t } = useTranslation('credits');
  const { bill } = preview;
  return (
    <Stack sx={{ gap: 2 }}>
      {preview.void && (
        <Box>
          <Typography variant="subtitle2" component="h4" sx={{ marginBottom: 0.5 }}>
            {t('credits.voids_first')}
          </Typography>
          <Outcome preview={preview.void} />
        </Box>
      )}
      {bill === null ? (
        <Alert severity="warning">{t('credits.reissue_nothing')}</Alert>
      ) : (
        <>
          <Facts
            items={[
              [t('credits.previous_total'), <Money key="before" amount={preview.previousTotal} />],
              [t('credits.new_total'), <Money key="after" amount={bill.total} strong />],
              [
                t('credits.difference'),
                <Money key="difference" amount={subtractMoney(bill.total, preview.previousTotal)} />,
              ],
            ]}
          />
          <Box>
            <Typography variant="subtitle2" component="h4" sx={{ marginBottom: 0.5 }}>
              {t('credits.new_lines')}
            </Typography>
            <BillLines bill={bill} />
          </Box>
          <Typography variant="body2" color="textSecondary">
            {t('credits.reissue_later')}
          </Typography>
        </>
      )}
    </Stack>
  );
}
