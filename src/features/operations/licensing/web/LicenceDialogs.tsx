// Renewing and revoking one license.
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Licence } from '../contract.ts';
import { ReasonDialog } from '#platform/web/form/ReasonDialog.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { licensingApi, licensingKey } from './api.ts';
import { ValidDays, usualDays } from './ValidDays.tsx';

const invalidates = [licensingKey()];
/** The open action and its license. */
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
      confirmLabel={t('licensing.renew_confirm')}
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

export function RevokeDialog({ licence, onClose }: OneLicence) {
  const { t } = useTranslation('licensing');
  const revoke = useCall(licensingApi.revokeLicence, {
    invalidates,
    onSuccess: () => toast.success(t('licensing.revoked_done')),
  });
  return (
    <ReasonDialog
      role="alertdialog"
      title={t('licensing.revoke_title', { machine: licence.machine || licence.id })}
      confirm={t('licensing.revoke_confirm')}
      color="error"
      lead={<Typography variant="body2">{t('licensing.revoke_how')}</Typography>}
      field={{ label: t('licensing.reason'), max: 300 }}
      onReason={(reason) => revoke.mutateAsync({ licenceId: licence.id, reason })}
      onClose={onClose}
    />
  );
}
