// Credits a bill: the remaining amount, a percentage, or amounts of single lines, with a preview of the exact
// outcome below.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { withSymbol } from '#kernel/format-money.ts';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import { billingKey } from '#features/invoicing/billing/web/parts.ts';
import type { CreditableLine } from '../contract.ts';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { creditsApi, creditsKey, creditsQueries } from './api.ts';
import { askOf, creditWays, isAmount, isPercent, type Typed } from './credit-ask.ts';
import { LineAmounts } from './LineAmounts.tsx';
import { Outcome } from './Outcome.tsx';
import { PreviewedDialog } from './PreviewedDialog.tsx';
import { usePreview } from './use-preview.ts';

type CreditDialogProps = {
  readonly bill: BillDetail;
  readonly lines: readonly CreditableLine[];
  readonly onClose: () => void;
};

export function CreditDialog({ bill, lines, onClose }: CreditDialogProps) {
  const { t } = useTranslation('credits');
  const format = useFormat();
  const [typed, setTyped] = useState<Typed>({ way: 'percent', percent: '', amount: '', lines: {} });
  const [reason, setReason] = useState('');
  const ask = askOf(typed, bill.currency);
  const preview = usePreview(
    creditsQueries.previewCredit({ billId: bill.id, what: ask ?? { kind: 'rest' } }),
    ask !== undefined,
  );
  const issue = useCall(creditsApi.issueCredit, {
    invalidates: [creditsKey(), billingKey()],
    onSuccess: ({ number }) => {
      toast.success(t('credits.issued', { number }));
      onClose();
    },
  });
  const confirm = () => ask && issue.mutate({ billId: bill.id, reason: reason.trim(), what: ask });
  return (
    <PreviewedDialog
      title={t('credits.credit_title', { number: bill.number })}
      reason={reason}
      onReason={setReason}
      problem={issue.error}
      isBusy={issue.isPending}
      isReady={preview.isCurrent}
      confirmLabel={
        preview.data && ask
          ? t('credits.issue', { amount: format.money(preview.data.total) })
          : t('credits.credit')
      }
      onConfirm={confirm}
      onClose={onClose}
      ask={<CreditFields typed={typed} onTyped={setTyped} bill={bill} lines={lines} />}
    >
      <Result preview={preview} isRequested={ask !== undefined} />
    </PreviewedDialog>
  );
}

function CreditFields({
  typed,
  onTyped,
  bill,
  lines,
}: {
  typed: Typed;
  onTyped: (typed: Typed) => void;
  bill: BillDetail;
  lines: readonly CreditableLine[];
}) {
  const { t } = useTranslation('credits');
  const format = useFormat();
  const sign = withSymbol('', bill.currency, format.language);
  return (
    <>
      <Box sx={pairs}>
        {/* used as: 'credits.how_*' */}
        <SelectBox
          fullWidth
          label={t('credits.how')}
          value={typed.way}
          options={creditWays.map((way) => ({ value: way, label: t(`credits.how_${way}`) }))}
          onChange={(way) => onTyped({ ...typed, way })}
        />
        {typed.way === 'percent' && (
          <TextBox
            name="percent"
            label={t('credits.percent')}
            value={typed.percent}
            onChange={(percent) => onTyped({ ...typed, percent })}
            inputMode="decimal"
            end="%"
            autoFocus
            problem={isPercent(typed.percent) ? undefined : t('credits.percent_wrong')}
          />
        )}
        {typed.way === 'amount' && (
          <TextBox
            name="amount"
            label={t('credits.net_amount')}
            value={typed.amount}
            onChange={(amount) => onTyped({ ...typed, amount })}
            inputMode="decimal"
            start={sign}
            autoFocus
            problem={isAmount(typed.amount, bill.currency) ? undefined : t('credits.amount_wrong')}
          />
        )}
      </Box>
      {typed.way === 'lines' && (
        <LineAmounts
          lines={lines.filter((line) => line.rest.minor !== 0n)}
          currency={bill.currency}
          typed={typed.lines}
          onTyped={(typedLines) => onTyped({ ...typed, lines: typedLines })}
        />
      )}
    </>
  );
}

function Result({
  preview,
  isRequested,
}: {
  preview: ReturnType<typeof usePreview<Parameters<typeof Outcome>[0]['preview']>>;
  isRequested: boolean;
}) {
  const { t } = useTranslation('credits');
  if (!isRequested)
    return (
      <Typography variant="body2" color="textSecondary">
        {t('credits.preview_fill')}
      </Typography>
    );
  if (preview.error) return <Alert severity="warning">{preview.error.message}</Alert>;
  return preview.data ? (
    <Box sx={{ opacity: preview.isCurrent ? 1 : 0.6 }}>
      <Outcome preview={preview.data} />
    </Box>
  ) : null;
}
