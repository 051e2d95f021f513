// Requests a higher limit, showing the used and allowed quantity; an open request is shown and can be
// withdrawn.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { decimal, decimalText } from '#kernel/decimal.ts';
import { text } from '#kernel/shape.ts';
import type { Raise } from '../contract.ts';
import { suggestedLimit } from '../rules.ts';
import { DialogForm } from '#platform/web/form/DialogForm.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { DialogButtons } from '#platform/web/ui/DialogButtons.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { quotasApi, quotasKey, quotasQueries } from './api.ts';
import type { Quota } from './QuotaMeter.tsx';
import { plain, typedLimit } from './raise-shape.ts';
import { RaiseState } from './RaiseState.tsx';

export type RaiseDialogProps = {
  readonly quota: Quota;
  readonly onClose: () => void;
  readonly onChange?: () => void;
};

export function RaiseDialog({ quota, onClose, onChange }: RaiseDialogProps) {
  const { t } = useTranslation('quotas');
  const { data } = useQuery(quotasQueries.listRaises({ subscriptionId: quota.subscriptionId }));
  const earlier = data?.items.filter((raise) => raise.state !== 'open') ?? [];
  const done = () => {
    onChange?.();
    onClose();
  };
  const history = earlier.length > 0 && <History raises={earlier} />;
  return (
    <Modal open title={t('quotas.raise_title', { service: quota.serviceName })} onClose={onClose}>
      {quota.raise ? (
        <Waiting
          quota={quota}
          raise={data?.items.find((raise) => raise.state === 'open')}
          history={history}
          onDone={done}
        />
      ) : (
        <RaiseForm quota={quota} history={history} onClose={onClose} onDone={done} />
      )}
    </Modal>
  );
}

/** Both lists show the request. The page behind the dialog also gets a live update. */
const invalidates = [quotasKey()];
const shape = z.strictObject({ limit: typedLimit, reason: text(500) });

function RaiseForm({
  quota,
  history,
  onClose,
  onDone,
}: {
  quota: Quota;
  history: ReactNode;
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useTranslation('quotas');
  const format = useFormat();
  const { unit } = quota;
  const form = useZodForm(shape, {
    limit: decimalText(suggestedLimit(decimal(quota.used), decimal(quota.limit))),
    reason: '',
  });
  const askRaise = useCall(quotasApi.askRaise, {
    invalidates,
    onSuccess: ({ limit }) => toast.success(t('quotas.raise_sent', { limit: format.quantity(limit, unit) })),
  });
  const submit = async ({ limit, reason }: z.output<typeof shape>) => {
    await askRaise.mutateAsync({ subscriptionId: quota.subscriptionId, limit: plain(limit), reason });
    onDone();
  };
  return (
    <DialogForm
      form={form}
      label={t('quotas.raise_title', { service: quota.serviceName })}
      confirm={t('quotas.raise_send')}
      lead={
        <>
          <Typography variant="body2" color="textSecondary">
            {t('quotas.raise_lead')}
          </Typography>
          <Facts
            items={[
              [t('quotas.raise_now'), format.quantity(quota.used, unit)],
              [t('quotas.raise_limit_now'), format.quantity(quota.limit, unit)],
            ]}
          />
        </>
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="limit"
        label={t('quotas.raise_limit')}
        help={t('quotas.raise_limit_help')}
        inputMode="decimal"
        end={unit}
        autoComplete="off"
        required
      />
      <TextField
        form={form}
        name="reason"
        label={t('quotas.raise_reason')}
        help={t('quotas.raise_reason_help')}
        rows={3}
        autoComplete="off"
        required
        autoFocus
      />
      {history}
    </DialogForm>
  );
}

function Waiting({
  quota: { subscriptionId, unit, raise: waiting },
  raise,
  history,
  onDone,
}: {
  quota: Quota;
  raise: Raise | undefined;
  history: ReactNode;
  onDone: () => void;
}) {
  const { t } = useTranslation('quotas');
  const format = useFormat();
  const withdraw = useCall(quotasApi.withdrawRaise, {
    invalidates,
    onSuccess: () => toast.success(t('quotas.raise_withdrawn')),
  });
  if (!waiting) return null;
  const submit = async () => {
    await withdraw.mutateAsync({ subscriptionId, raiseId: waiting.id });
    onDone();
  };
  return (
    <Stack sx={{ gap: 2 }}>
      <Alert severity="info">{t('quotas.raise_pending')}</Alert>
      {withdraw.error && <Alert severity="error">{withdraw.error.message}</Alert>}
      <Facts
        items={[
          [t('quotas.raise_limit'), format.quantity(waiting.limit, unit)],
          ...(raise
            ? [
                [t('quotas.raise_reason'), raise.reason] as const,
                [t('quotas.raise_by'), raise.askedBy] as const,
              ]
            : []),
          [t('quotas.raise_asked_at'), <Moment key="at" at={waiting.askedAt} as="dateTime" />],
        ]}
      />
      {history}
      <DialogButtons>
        <Button
          variant="outlined"
          loading={withdraw.isPending}
          onClick={() => void submit().catch(() => undefined)}
        >
          {t('quotas.raise_withdraw')}
        </Button>
      </DialogButtons>
    </Stack>
  );
}

function History({ raises }: { raises: readonly Raise[] }) {
  const { t } = useTranslation('quotas');
  const format = useFormat();
  return (
    <Stack component="section" sx={{ gap: 1 }}>
      <Typography variant="h3">{t('quotas.raise_history')}</Typography>
      <Box
        component="ul"
        aria-label={t('quotas.raise_history')}
        sx={{
          listStyle: 'none',
          margin: 0,
          padding: 0,
          display: 'grid',
          '& > li': { paddingBlock: 1, borderTop: '1px solid', borderColor: 'divider' },
        }}
      >
        {raises.map((raise) => (
          <li key={raise.id}>
            <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
              <RaiseState state={raise.state} />
              <Typography variant="body2" component="span" className="tabular">
                {format.quantity(raise.grantedLimit ?? raise.limit, raise.unit)}
              </Typography>
              <Typography variant="caption" component="span" color="textSecondary">
                <Moment at={raise.decidedAt ?? raise.askedAt} />
              </Typography>
            </Stack>
            <Typography
              variant="caption"
              component="p"
              color="textSecondary"
              sx={{ overflowWrap: 'anywhere' }}
            >
              {raise.answer || raise.reason}
            </Typography>
          </li>
        ))}
      </Box>
    </Stack>
  );
}
