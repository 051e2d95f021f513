// The actions on a quote: sending its draft, withdrawing it, and discarding the draft.
import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { useCall } from '#platform/web/api/queries.ts';
import { ReasonDialog } from '#platform/web/form/ReasonDialog.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ActionDialog } from '#platform/web/ui/ActionDialog.tsx';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
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
    <ActionDialog
      title={t('quotes.send_title', { organization: quote.organization })}
      confirm={t('quotes.send')}
      isBusy={send.isPending}
      onConfirm={() => send.mutate({ quoteId: quote.id, revision: quote.revision })}
      problem={send.error ? sentenceOf(send.error) : undefined}
      onClose={onClose}
    >
      <Typography>
        {t('quotes.send_text', {
          total: format.money(quote.total),
          day: format.day(quote.validUntil),
        })}
      </Typography>
      {quote.sentVersion !== null && (
        <Alert severity="info">{t('quotes.send_supersedes', { version: quote.sentVersion })}</Alert>
      )}
    </ActionDialog>
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
