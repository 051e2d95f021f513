// API keys for machines: who has which, making one (its secret is shown once), revoking one, and how to use it.
import AddOutlined from '@mui/icons-material/AddOutlined';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Out } from '#kernel/contract.ts';
import type { identity } from '#features/identity/contract.ts';
import { useNow } from '#platform/web/clock.ts';
import { useCall } from '#platform/web/queries.ts';
import { toast } from '#platform/web/toasts.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useParam } from '#platform/web/use-param.ts';
import { identityApi, identityKey, identityQueries } from './api.ts';
import { ApiKeyCreate } from './ApiKeyCreate.tsx';
import { usageExample } from './usage-example.ts';
import { useIdentityTexts } from './texts.ts';

type Key = Out<typeof identity.listApiKeys>['items'][number];
const newKey = 'new';

export function ApiKeysScreen() {
  const t = useIdentityTexts();
  const [open, setOpen] = useParam('key');
  const [toRevoke, setToRevoke] = useState<Key>();
  const state = useTableState();
  const query = useQuery({ ...identityQueries.listApiKeys(state.query), placeholderData: keepPreviousData });
  const add = <Button variant="contained" startIcon={<AddOutlined />} onClick={() => setOpen(newKey)}>{t('identity.key_add')}</Button>;
  return (
    <Page title={t('identity.keys_title')} lead={t('identity.keys_lead')} actions={add}>
      <DataTable
        label={t('identity.keys_title')}
        columns={useColumns()}
        query={query}
        state={state}
        rowKey={(key) => key.id}
        rowName={(key) => key.name}
        empty={<EmptyState title={t('identity.keys_empty')} hint={t('identity.keys_empty_hint')} action={add} />}
        rowActions={(key) => [{ label: t('identity.key_revoke'), danger: true, onClick: () => setToRevoke(key) }]}
      />
      <Section title={t('identity.key_usage')} lead={t('identity.key_usage_lead')}>
        <CodeBlock code={usageExample('$API_KEY')} label={t('identity.copy_example')} />
        <Typography variant="body2" color="textSecondary" sx={{ marginTop: 1.5 }}>{t('identity.key_usage_repeat')} <a href="/api/docs">{t('identity.api_docs')}</a></Typography>
      </Section>
      {toRevoke && <Revoke apiKey={toRevoke} onClose={() => setToRevoke(undefined)} />}
      {open === newKey && <ApiKeyCreate onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

function useColumns(): readonly Column<Key>[] {
  const t = useIdentityTexts();
  const now = useNow();
  return [
    { key: 'name', label: t('identity.key_name'), card: 'title', render: (key) => key.name },
    // used as: 'identity.scope_*'
    { key: 'scope', label: t('identity.key_scope'), render: (key) => <StatusBadge tone={key.scope === 'metering' ? 'primary' : 'info'} icon={null} label={t(`identity.scope_${key.scope}`)} /> },
    { key: 'organization', label: t('identity.user_organization'), render: (key) => key.organization ?? t('identity.key_all_organizations') },
    { key: 'createdAt', label: t('identity.created_at'), show: 'wide', render: (key) => <Moment at={key.createdAt} /> },
    { key: 'lastUsedAt', label: t('identity.key_last_used'), render: (key) => (key.lastUsedAt ? <Moment at={key.lastUsedAt} as="relative" /> : t('identity.key_never_used')) },
    {
      key: 'expiresAt', label: t('identity.key_expires'),
      render: (key) => key.expiresAt === null ? t('identity.expiry_never') : key.expiresAt <= now ? <StatusBadge tone="neutral" label={t('identity.key_expired')} /> : <Moment at={key.expiresAt} />,
    },
  ];
}

function Revoke({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const t = useIdentityTexts();
  const revoke = useCall(identityApi.revokeApiKey, { invalidates: [identityKey('listApiKeys')], onSuccess: () => toast.success(t('identity.key_revoked', { name: apiKey.name })) });
  return (
    <ConfirmDialog
      open
      title={t('identity.key_revoke_ask', { name: apiKey.name })}
      consequences={[t('identity.key_revoke_at_once'), t('identity.key_revoke_final')]}
      confirmLabel={t('identity.key_revoke')}
      tone="danger"
      onConfirm={() => revoke.mutateAsync({ keyId: apiKey.id })}
      onClose={onClose}
    />
  );
}
