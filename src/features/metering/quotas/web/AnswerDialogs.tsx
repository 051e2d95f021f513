// Dialogs that grant a limit other than the requested one, or decline; both repeat the organization and its
// usage.
import * as z from 'zod/mini';
import { optionalText } from '#kernel/shape.ts';
import type { AdminRaise } from '../contract.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { ReasonDialog } from '#platform/web/form/ReasonDialog.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { quotasApi, quotasKey } from './api.ts';
import { plain, typedLimit } from './raise-shape.ts';

type AnswerProps = { readonly raise: AdminRaise; readonly onClose: () => void };
const invalidates = [quotasKey()];
const grantShape = z.strictObject({ limit: typedLimit, answer: optionalText(500) });

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
  };
  return (
    <FormDialog
      form={form}
      width="sm"
      title={t('quotas.grant_title', params)}
      confirm={t('quotas.grant_send')}
      lead={<RaiseFacts raise={raise} />}
      onSubmit={submit}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}

export function DeclineDialog({ raise, onClose }: AnswerProps) {
  const { t } = useTranslation('quotas');
  const params = { organization: raise.organization, service: raise.serviceName };
  const decline = useCall(quotasApi.declineRaise, {
    invalidates,
    onSuccess: () => toast.success(t('quotas.declined', params)),
  });
  return (
    <ReasonDialog
      role="alertdialog"
      width="sm"
      title={t('quotas.decline_title', params)}
      label={t('quotas.decline')}
      confirm={t('quotas.decline_send')}
      color="error"
      lead={<RaiseFacts raise={raise} />}
      field={{
        label: t('quotas.decline_reason'),
        help: t('quotas.decline_reason_help'),
        max: 500,
        rows: 3,
      }}
      onReason={(answer) => decline.mutateAsync({ raiseId: raise.id, answer })}
      onClose={onClose}
    />
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
