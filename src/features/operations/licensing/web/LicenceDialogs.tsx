// Renewing and revoking one licence.
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import * as z from 'zod/mini';
import { text } from '#kernel/shape.ts';
import type { Licence } from '../contract.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { licensingApi, licensingKey } from './api.ts';
import { ValidDays, usualDays } from './ValidDays.tsx';

const invalidates = [licensingKey()];
/** The open action and its licence. */
export type OpenAction = {
  readonly what: 'renew' | 'revoke';
  readonly licence: Pick<Licence, 'id' | 'machine'>;
};
type OneLicence = { readonly licence: Pick<Licence, 'id' | 'machine'>; readonly onClose: () => void };

export function RenewDialog({
  licence,
  onClose,
  onRenewed,
}: OneLicence & { readonly onRenewed: (licenceId: Licence['id']) => void }) {
  const { t } = useTranslation('licensing');
  const [days, setDays] = useState(usualDays);
  const renew = useCall(licensingApi.renewLicence, {
    invalidates,
    onSuccess: ({ licence: { id } }) => {
      toast.success(t('licensing.renewed'));
      onRenewed(id);
    },
  });
  return (
    <ConfirmDialog
      open
      title={t('licensing.renew_title', { machine: licence.machine || licence.id })}
      confirmLabel={t('licensing.renew')}
      onConfirm={() => renew.mutateAsync({ licenceId: licence.id, validDays: Number(days) })}
      onClose={onClose}
    >
      <Stack sx={{ gap: 2 }}>
        <span>{t('licensing.renew_how')}</span>
        <ValidDays value={days} onChange={setDays} />
      </Stack>
    </ConfirmDialog>
  );
}

const reasonShape = z.strictObject({ reason: text(300) });

export function RevokeDialog({ licence, onClose }: OneLicence) {
  const { t } = useTranslation('licensing');
  const revoke = useCall(licensingApi.revokeLicence, {
    invalidates,
    onSuccess: () => toast.success(t('licensing.revoked_done')),
  });
  return (
    <ReasonDialog
      title={t('licensing.revoke_title', { machine: licence.machine || licence.id })}
      how={t('licensing.revoke_how')}
      action={t('licensing.revoke')}
      danger
      onSubmit={(reason) => revoke.mutateAsync({ licenceId: licence.id, reason })}
      onClose={onClose}
    />
  );
}

type ReasonDialogProps = {
  readonly title: string;
  readonly how: string;
  readonly action: string;
  readonly danger?: boolean;
  readonly onSubmit: (reason: string) => Promise<unknown>;
  readonly onClose: () => void;
};

/** Explains an action and asks for a reason. */
export function ReasonDialog({ title, how, action, danger = false, onSubmit, onClose }: ReasonDialogProps) {
  const { t } = useTranslation('licensing');
  const form = useZodForm(reasonShape, { reason: '' });
  const submit = async ({ reason }: z.output<typeof reasonShape>) => {
    await onSubmit(reason);
  };
  return (
    <FormDialog
      form={form}
      role="alertdialog"
      title={title}
      confirm={action}
      color={danger ? 'error' : 'primary'}
      lead={<Typography variant="body2">{how}</Typography>}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField form={form} name="reason" label={t('licensing.reason')} rows={2} required autoFocus />
    </FormDialog>
  );
}
