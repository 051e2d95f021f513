// The user's organization's API keys.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { useParam } from '#platform/web/routing/use-param.ts';
import { FullTable } from '#platform/web/ui/FullTable.tsx';
import { identityQueries } from './api.ts';
import { ApiKeyCreate } from './ApiKeyCreate.tsx';
import { useKeyActions, useKeyColumns } from './KeyParts.tsx';

const newKey = 'new';

export function OrganizationKeys({ mayMake }: { mayMake: boolean }) {
  const { t } = useTranslation('identity');
  const [open, setOpen] = useParam('key');
  const { actions, opened } = useKeyActions('organization', mayMake);
  const query = useQuery(identityQueries.organizationKeys());
  return (
    <>
      <FullTable
        title={t('identity.keys_title')}
        lead={t('identity.organization_keys_lead')}
        {...(mayMake && {
          actions: (
            <AddButton variant="outlined" onClick={() => setOpen(newKey)}>
              {t('identity.key_add')}
            </AddButton>
          ),
        })}
        query={query}
        columns={useKeyColumns('organization')}
        rowKey={(key) => key.id}
        rowName={(key) => key.name}
        rowActions={actions}
        empty={
          <EmptyState compact title={t('identity.keys_empty')} hint={t('identity.organization_keys_hint')} />
        }
      />
      {opened}
      {mayMake && open === newKey && <ApiKeyCreate owner="organization" onClose={() => setOpen(undefined)} />}
    </>
  );
}
