// API keys for programs: the list, creating, rotating and revoking keys, and how to use one.
import Typography from '@mui/material/Typography';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { identityQueries } from './api.ts';
import { ApiKeyCreate } from './ApiKeyCreate.tsx';
import { useKeyActions, useKeyColumns } from './KeyParts.tsx';
import { usageExample } from './usage-example.ts';

const newKey = 'new';

export function ApiKeysScreen() {
  const { t } = useTranslation('identity');
  const [open, setOpen] = useParam('key');
  const { actions, opened } = useKeyActions('platform');
  const state = useTableState();
  const query = usePagedQuery(identityQueries.listApiKeys(state.query));
  const add = <AddButton onClick={() => setOpen(newKey)}>{t('identity.key_add')}</AddButton>;
  return (
    <Page title={t('identity.keys_title')} lead={t('identity.keys_lead')} actions={add}>
      <DataTable
        list="api-keys"
        label={t('identity.keys_title')}
        columns={useKeyColumns('platform')}
        query={query}
        state={state}
        rowKey={(key) => key.id}
        rowName={(key) => key.name}
        empty={
          <EmptyState title={t('identity.keys_empty')} hint={t('identity.keys_empty_hint')} action={add} />
        }
        rowActions={actions}
      />
      <Section title={t('identity.key_usage')} lead={t('identity.key_usage_lead')}>
        <CodeBlock code={usageExample('$API_KEY')} label={t('identity.copy_example')} />
        <Typography variant="body2" color="textSecondary" sx={{ marginTop: 1.5 }}>
          {t('identity.key_usage_repeat')} <a href="/api/docs">{t('identity.api_docs')}</a>
        </Typography>
      </Section>
      {opened}
      {open === newKey && <ApiKeyCreate owner="platform" onClose={() => setOpen(undefined)} />}
    </Page>
  );
}
