// The actions on a quote: sending its draft, withdrawing it, and discarding the draft.
import Alert from '@mui/material/Alert';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useCall } from '#platform/web/api/queries.ts';
import { ReasonDialog } from '#platform/web/form/ReasonDialog.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmButtons } from '#platform/web/ui/ConfirmButtons.tsx';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import type { QuoteDetail } from '../contract.ts';
import { quotesApi, quotesKey } from './api.ts';
import { sentenceOf } from './quote-words.ts';

type DialogProps = { readonly quote: QuoteDetail; readonly onClose: () => void };

export function SendDialog({ quote, onClose }: DialogProps) {
  const { t } = useTranslation('quotes');
  const format = useFormat();
  const send = useCall(quotesApi.sendQuote, {
    invalidates: [quotesKey()],
    onSuccess: ({ number }) => {
      toast.success(t('quotes.sent_toast', { number: number ?? '' }));
      onClose();
    },
  });
  return (
    <Modal
      open
      title={t('quotes.send_title', { organization: quote.organization })}
      onClose={send.isPending ? undefined : onClose}
      actions={
        <ConfirmButtons
          confirm={t('quotes.send')}
          isBusy={send.isPending}
          onConfirm={() => send.mutate({ quoteId: quote.id, revision: quote.revision })}
          onClose={onClose}
        />
      }
    >
      <Stack sx={{ gap: 1.5 }}>
        {send.error && <Alert severity="error">{sentenceOf(send.error)}</Alert>}
        <Typography>
          {t('quotes.send_text', {
            total: format.money(quote.total),
            day: format.day(quote.validUntil),
          })}
        </Typography>
        {quote.sentVersion !== null && (
          <Alert severity="info">{t('quotes.send_supersedes', { version: quote.sentVersion })}</Alert>
        )}
      </Stack>
    </Modal>
  );
}

export function WithdrawDialog({ quote, onClose }: DialogProps) {
  const { t } = useTranslation('quotes');
  const withdraw = useCall(quotesApi.withdrawQuote, {
    invalidates: [quotesKey()],
    onSuccess: () => toast.success(t('quotes.withdrawn_toast', { number: quote.number ?? '' })),
  });
  return (
    <ReasonDialog
      title={t('quotes.withdraw_title', { number: quote.number ?? '' })}
      confirm={t('quotes.withdraw')}
      color="error"
      lead={<Typography variant="body2">{t('quotes.withdraw_text')}</Typography>}
      field={{ label: t('quotes.reason'), max: 500, required: false }}
      onReason={(reason) => withdraw.mutateAsync({ quoteId: quote.id, reason })}
      onClose={onClose}
    />
  );
}

export function DiscardDialog({ quote, onClose, onGone }: DialogProps & { onGone: () => void }) {
  const { t } = useTranslation('quotes');
  const discard = useCall(quotesApi.deleteQuote, {
    invalidates: [quotesKey()],
    onSuccess: onGone,
  });
  return (
    <ConfirmDialog
      open
      title={t('quotes.discard_title')}
      confirmLabel={t('quotes.discard')}
      tone="danger"
      onConfirm={() => discard.mutateAsync({ quoteId: quote.id })}
      onClose={onClose}
    >
      {t(quote.sentVersion === null ? 'quotes.discard_text' : 'quotes.discard_text_sent', {
        version: quote.sentVersion ?? '',
      })}
    </ConfirmDialog>
  );
}
