// Asks for a reason before an Admin views the console as another user.
import { useNavigate } from 'react-router';
import { longestViewMinutes, type User } from '#features/access/identity/contract.ts';
import { beginView, identityApi } from '#features/access/identity/web/parts.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { minReason, useReason } from '#platform/web/ui/use-reason.tsx';

/** `landing` is the user's landing page. */
export function ViewAsDialog({
  user,
  landing,
  onClose,
}: {
  user: User;
  landing: string;
  onClose: () => void;
}) {
  const { t } = useTranslation('users');
  const navigate = useNavigate();
  const reason = useReason({
    label: t('users.view_reason'),
    help: t('users.view_reason_help'),
    missing: t('users.view_reason_missing', { least: minReason }),
  });
  const start = useCall(identityApi.startView);
  const confirm = async (): Promise<void> => {
    beginView(await start.mutateAsync({ userId: user.id, reason: reason.read() }));
    await navigate(landing);
  };
  return (
    <ConfirmDialog
      open
      title={t('users.view_ask', { name: user.name })}
      consequences={[
        t('users.view_effect_reads'),
        t('users.view_effect_ends', { minutes: longestViewMinutes }),
        t('users.view_effect_told'),
      ]}
      confirmLabel={t('users.view_begin')}
      onConfirm={confirm}
      onClose={onClose}
    >
      {reason.field}
    </ConfirmDialog>
  );
}
