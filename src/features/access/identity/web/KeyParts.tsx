// Columns and actions for every list of API keys.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode } from 'react';
import { keyAreas, permissionVerbs } from '#kernel/permissions.ts';
import type { ApiKey } from '../contract.ts';
import { useNow } from '#platform/web/time/clock.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import type { RowAction } from '#platform/web/ui/RowMenu.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useKeyCalls, type KeyOwner } from './key-calls.ts';
import { KeyRotate } from './KeyRotate.tsx';

export function useKeyColumns(owner: KeyOwner): readonly Column<ApiKey>[] {
  const { t } = useTranslation('identity');
  const format = useFormat();
  const now = useNow();
  return [
    { key: 'name', label: t('identity.key_name'), card: 'title', render: (key) => key.name },
    {
      key: 'hint',
      label: t('identity.key_hint'),
      render: (key) => (
        <Box component="code" sx={{ fontFamily: 'monospace', fontSize: '0.8125rem', whiteSpace: 'nowrap' }}>
          {key.hint === '' ? '–' : key.hint}
        </Box>
      ),
    },
    // used as: 'identity.scope_*'
    {
      key: 'scope',
      label: t('identity.key_scope'),
      render: (key) => (
        <>
          <StatusBadge
            tone={key.scope === 'metering' ? 'primary' : key.scope === 'read' ? 'info' : 'warning'}
            icon={null}
            label={t(`identity.scope_${key.scope}`)}
          />
          {key.scope === 'permissions' && <Limits apiKey={key} />}
        </>
      ),
    },
    ...(owner === 'platform'
      ? [
          {
            key: 'organization',
            label: t('identity.user_organization'),
            render: (key: ApiKey) =>
              key.organization ?? (key.personId === null ? t('identity.key_all_organizations') : '–'),
          },
        ]
      : []),
    {
      key: 'createdAt',
      label: t('identity.created_at'),
      show: 'wide',
      render: (key) => <Moment at={key.createdAt} />,
    },
    {
      key: 'lastUsedAt',
      label: t('identity.key_last_used'),
      render: (key) =>
        key.lastUsedAt ? <Moment at={key.lastUsedAt} as="relative" /> : t('identity.key_never_used'),
    },
    {
      key: 'expiresAt',
      label: t('identity.key_expires'),
      render: (key) => (
        <>
          {key.expiresAt === null ? (
            t('identity.expiry_never')
          ) : key.expiresAt <= now ? (
            <StatusBadge tone="neutral" label={t('identity.key_expired')} />
          ) : (
            <Moment at={key.expiresAt} />
          )}
          {key.previousUntil !== null && key.previousUntil > now && (
            <Typography variant="caption" component="div" color="textSecondary">
              {t('identity.key_overlapping', { until: format.dateTime(key.previousUntil) })}
            </Typography>
          )}
        </>
      ),
    },
  ];
}

/** `billing:read,write usage:read`: a short form in the API's terms. */
function byArea(held: ApiKey['permissions']): string {
  return keyAreas
    .map((area) => [area, permissionVerbs.filter((verb) => held.includes(`${area}:${verb}`))] as const)
    .filter(([, verbs]) => verbs.length > 0)
    .map(([area, verbs]) => `${area}:${verbs.join(',')}`)
    .join(' ');
}

/** The person for whom a key acts, its permissions, and its networks. */
function Limits({ apiKey: { person, permissions, irreversible, addresses } }: { apiKey: ApiKey }) {
  const { t } = useTranslation('identity');
  return (
    <>
      <Typography variant="caption" component="div" color="textSecondary">
        {t('identity.key_for', { name: person ?? '' })}
      </Typography>
      <Typography
        variant="caption"
        component="code"
        color="textSecondary"
        sx={{ display: 'block', fontFamily: 'monospace', maxWidth: 320, overflowWrap: 'anywhere' }}
      >
        {byArea(permissions)}
      </Typography>
      {irreversible && (
        <Typography variant="caption" component="div" color="warning.main">
          {t('identity.key_irreversible_tag')}
        </Typography>
      )}
      {addresses.length > 0 && (
        <Typography variant="caption" component="div" color="textSecondary">
          {t('identity.key_from', { addresses: addresses.join(', ') })}
        </Typography>
      )}
    </>
  );
}

/** The menu of a key, and the panel or dialog opened from it. */
export function useKeyActions(
  owner: KeyOwner,
  mayRotate = true,
): { readonly actions: (key: ApiKey) => readonly RowAction[]; readonly opened: ReactNode } {
  const { t } = useTranslation('identity');
  const now = useNow();
  const ownId = useAuthStore((auth) => auth.user?.id);
  const [open, setOpen] = useState<{ readonly action: 'rotate' | 'revoke'; readonly key: ApiKey }>();
  const onClose = () => setOpen(undefined);
  return {
    actions: (key) => [
      ...(mayRotate
        ? [
            {
              label: t('identity.key_rotate'),
              refused:
                key.expiresAt !== null && key.expiresAt <= now
                  ? t('identity.key_ran_out')
                  : key.personId !== null && key.personId !== ownId
                    ? t('identity.key_of_other')
                    : undefined,
              onClick: () => setOpen({ action: 'rotate', key }),
            },
          ]
        : []),
      { label: t('identity.key_revoke'), danger: true, onClick: () => setOpen({ action: 'revoke', key }) },
    ],
    opened:
      open &&
      (open.action === 'rotate' ? (
        <KeyRotate owner={owner} apiKey={open.key} onClose={onClose} />
      ) : (
        <Revoke owner={owner} apiKey={open.key} onClose={onClose} />
      )),
  };
}

function Revoke({ owner, apiKey, onClose }: { owner: KeyOwner; apiKey: ApiKey; onClose: () => void }) {
  const { t } = useTranslation('identity');
  const { revoke } = useKeyCalls(owner);
  const confirm = async () => {
    await revoke.mutateAsync({ keyId: apiKey.id });
    toast.success(t('identity.key_revoked', { name: apiKey.name }));
  };
  return (
    <ConfirmDialog
      open
      title={t('identity.key_revoke_ask', { name: apiKey.name })}
      consequences={[t('identity.key_revoke_at_once'), t('identity.key_revoke_final')]}
      confirmLabel={t('identity.key_revoke')}
      tone="danger"
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
