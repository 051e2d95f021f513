// Dialogs to grant another limit than the requested one, or to decline; both repeat the organization and its
// usage.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import type { FieldValues } from 'react-hook-form';
import * as z from 'zod/mini';
import { optionalText, text } from '#kernel/shape.ts';
import type { AdminRaise } from '../contract.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm, type FormOf } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { DialogButtons } from '#platform/web/ui/DialogButtons.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { quotasApi, quotasKey } from './api.ts';
import { plain, typedLimit } from './raise-shape.ts';

type AnswerProps = { readonly raise: AdminRaise; readonly onClose: () => void };
const invalidates = [quotasKey()];
const grantShape = z.strictObject({ limit: typedLimit, answer: optionalText(500) });
const declineShape = z.strictObject({ answer: text(500) });

export function GrantDialog({ raise, onClose }: AnswerProps) {
  const { t } = useTranslation('quotas');
  const format = useFormat();
  const params = { organization: raise.organization, service: raise.serviceName };
  const form = useZodForm(grantShape, { limit: raise.limit, answer: '' });
  const grant = useCall(quotasApi.grantRaise, {
    invalidates,
    onSuccess: ({ grantedLimit }) =>
      toast.success(
        t('quotas.granted', { ...params, limit: format.quantity(grantedLimit ?? '0', raise.unit) }),
      ),
  });
  const submit = async ({ limit, answer }: z.output<typeof grantShape>) => {
    await grant.mutateAsync({ raiseId: raise.id, limit: plain(limit), ...(answer !== '' && { answer }) });
    onClose();
  };
  return (
    <Modal
      open
      title={t('quotas.grant_title', params)}
      onClose={form.formState.isSubmitting ? undefined : onClose}
    >
      <Stack sx={{ gap: 2, paddingBottom: 1 }}>
        <RaiseFacts raise={raise} />
        <Form form={form} onSubmit={submit} label={t('quotas.grant_title', params)}>
          <TextField
            form={form}
            name="limit"
            label={t('quotas.grant_limit')}
            inputMode="decimal"
            end={raise.unit}
            autoComplete="off"
            required
            autoFocus
          />
          <TextField form={form} name="answer" label={t('quotas.grant_answer')} rows={2} autoComplete="off" />
          <Buttons form={form} onClose={onClose} label={t('quotas.grant_send')} />
        </Form>
      </Stack>
    </Modal>
  );
}

export function DeclineDialog({ raise, onClose }: AnswerProps) {
  const { t } = useTranslation('quotas');
  const params = { organization: raise.organization, service: raise.serviceName };
  const form = useZodForm(declineShape, { answer: '' });
  const decline = useCall(quotasApi.declineRaise, {
    invalidates,
    onSuccess: () => toast.success(t('quotas.declined', params)),
  });
  const submit = async ({ answer }: z.output<typeof declineShape>) => {
    await decline.mutateAsync({ raiseId: raise.id, answer });
    onClose();
  };
  return (
    <Modal
      open
      role="alertdialog"
      title={t('quotas.decline_title', params)}
      onClose={form.formState.isSubmitting ? undefined : onClose}
    >
      <Stack sx={{ gap: 2, paddingBottom: 1 }}>
        <RaiseFacts raise={raise} />
        <Form form={form} onSubmit={submit} label={t('quotas.decline')}>
          <TextField
            form={form}
            name="answer"
            label={t('quotas.decline_reason')}
            help={t('quotas.decline_reason_help')}
            rows={3}
            autoComplete="off"
            required
            autoFocus
          />
          <Buttons form={form} onClose={onClose} label={t('quotas.decline_send')} tone="error" />
        </Form>
      </Stack>
    </Modal>
  );
}

function Buttons<In extends FieldValues, Sent>({
  form,
  onClose,
  label,
  tone = 'primary',
}: {
  form: FormOf<In, Sent>;
  onClose: () => void;
  label: string;
  tone?: 'primary' | 'error';
}) {
  const { t } = useTranslation('quotas');
  return (
    <DialogButtons>
      <Button onClick={onClose} disabled={form.formState.isSubmitting}>
        {t('ui.cancel')}
      </Button>
      <SubmitButton form={form} size="medium" color={tone}>
        {label}
      </SubmitButton>
    </DialogButtons>
  );
}

function RaiseFacts({
  raise: { serviceName, unit, usedNow, limitNow, limit, reason },
}: {
  raise: AdminRaise;
}) {
  const { t } = useTranslation('quotas');
  const format = useFormat();
  return (
    <Facts
      items={[
        [t('quotas.service'), serviceName],
        [t('quotas.raise_now'), format.quantity(usedNow, unit)],
        ...(limitNow === null
          ? []
          : [[t('quotas.raise_limit_now'), format.quantity(limitNow, unit)] as const]),
        [t('quotas.asked_limit'), format.quantity(limit, unit)],
        [t('quotas.raise_reason'), reason],
      ]}
    />
  );
}
