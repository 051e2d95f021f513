// Blocked accounts and addresses, and a button to unblock them.
import LockOpenOutlined from '~icons/ic/outline-lock-open';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { SecurityState, Waiting } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { FullTable } from '#platform/web/ui/FullTable.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { securityApi, securityKey } from './api.ts';

export function WaitingList({ waiting: { items, total } }: { waiting: SecurityState['waiting'] }) {
  const { t } = useTranslation('security');
  const format = useFormat();
  const [confirming, setConfirming] = useState<Waiting>();
  const release = useCall(securityApi.letTryAgain, {
    invalidates: [securityKey('securityState')],
    onSuccess: () => toast.success(t('security.released')),
  });
  // used as: 'security.kind_*'
  const nameOf = ({ name, kind }: Waiting) =>
    name ?? (kind === 'account' ? t('security.unknown_account') : t(`security.kind_${kind}`));
  const columns: readonly Column<Waiting>[] = [
    { key: 'who', label: t('security.who'), card: 'title', render: nameOf },
    { key: 'kind', label: t('security.kind'), render: ({ kind }) => t(`security.kind_${kind}`) },
    {
      key: 'failures',
      label: t('security.failures'),
      align: 'right',
      render: ({ failures }) => format.number(failures),
    },
    { key: 'until', label: t('security.until'), render: ({ until }) => <Moment at={until} as="dateTime" /> },
  ];
  return (
    <>
      <FullTable
        title={t('security.waiting_title')}
        columns={columns}
        rows={items}
        rowKey={({ key }) => key}
        rowName={nameOf}
        rowActions={(one) => [
          { label: t('security.release'), icon: <LockOpenOutlined />, onClick: () => setConfirming(one) },
        ]}
        empty={
          <EmptyState compact title={t('security.waiting_empty')} hint={t('security.waiting_empty_hint')} />
        }
      />
      {total > items.length && (
        <Typography variant="body2" color="textSecondary">
          {t('security.waiting_more', { count: items.length, total: format.number(total) })}
        </Typography>
      )}
      <ConfirmDialog
        open={confirming !== undefined}
        title={t('security.release_ask', { name: confirming ? nameOf(confirming) : '' })}
        consequences={[t('security.release_effect')]}
        confirmLabel={t('security.release')}
        onConfirm={() => (confirming ? release.mutateAsync({ key: confirming.key }) : undefined)}
        onClose={() => setConfirming(undefined)}
      />
    </>
  );
}
