// Confirms a change of an organization's state, and lists exactly what it stops.
import { identityKey } from '#features/access/identity/web/parts.ts';
import { useTranslation, type TextKey } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { useReason } from '#platform/web/ui/use-reason.tsx';
import type { OrganizationAccount } from '../../console/contract.ts';
import { organizationsApi, organizationsKey } from './api.ts';

export type StateChange = 'suspend' | 'resume' | 'close' | 'reopen';
const effects: Record<StateChange, readonly TextKey<'console'>[]> = {
  suspend: [
    'organizations.effect_suspend',
    'organizations.effect_suspend_stays',
    'organizations.effect_suspend_paid',
  ],
  resume: ['organizations.effect_resume'],
  close: ['organizations.effect_close', 'organizations.effect_close_books'],
  reopen: ['organizations.effect_reopen'],
};
export function StateDialog({
  account,
  change,
  onClose,
}: {
  account: OrganizationAccount;
  change: StateChange;
  onClose: () => void;
}) {
  const { t } = useTranslation('console');
  const reason = useReason({
    label: t('organizations.reason'),
    help: t('organizations.reason_help'),
    missing: t('organizations.reason_missing'),
  });
  const needsReason = change === 'suspend' || change === 'close';
  const { id: organizationId, name } = account;
  const send = useCall(
    async (reason: string): Promise<OrganizationAccount> => {
      if (change === 'suspend') return organizationsApi.suspendOrganization({ organizationId, reason });
      if (change === 'close') return organizationsApi.closeOrganization({ organizationId, reason });
      return change === 'resume'
        ? organizationsApi.resumeOrganization({ organizationId })
        : organizationsApi.reopenOrganization({ organizationId });
    },
    {
      invalidates: [
        organizationsKey('listOrganizationAccounts'),
        organizationsKey('getOrganizationAccount'),
        identityKey('listUsers'),
        identityKey('adminOrganization'),
      ],
    },
  );
  const confirm = async (): Promise<void> => {
    await send.mutateAsync(needsReason ? reason.read() : '');
    toast.success(t(`organizations.done_${change}`, { name }));
  };
  // used as: 'organizations.ask_*', 'organizations.done_*', 'organizations.effect_*'
  return (
    <ConfirmDialog
      open
      title={t(`organizations.ask_${change}`, { name })}
      consequences={effects[change].map((key) => t(key))}
      confirmLabel={t(`organizations.${change}`)}
      tone={needsReason ? 'danger' : 'primary'}
      proof={change === 'close' ? { type: name } : 'ask'}
      onConfirm={confirm}
      onClose={onClose}
    >
      {needsReason && reason.field}
    </ConfirmDialog>
  );
}
