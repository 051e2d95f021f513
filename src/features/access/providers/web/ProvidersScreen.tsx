// An Admin's identity providers: the list, and a panel with one of them or the form for a new one.
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { IdentityProvider } from '../contract.ts';
import { providersQueries } from './api.ts';
import { newProvider, ProviderPanel } from './ProviderPanel.tsx';

/** `test` starts a test sign-in, which opens no session. */
export function ProvidersScreen({ test }: { test: (provider: IdentityProvider) => ReactNode }) {
  const { t } = useTranslation('providers');
  const [open, setOpen] = useParam('provider');
  const query = useQuery(providersQueries.listProviders());
  const add = <AddButton onClick={() => setOpen(newProvider)}>{t('providers.add')}</AddButton>;
  return (
    <Page title={t('providers.title')} lead={t('providers.lead')} actions={add}>
      <QueryState query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Section>
              <EmptyState title={t('providers.empty')} hint={t('providers.empty_hint')} action={add} />
            </Section>
          ) : (
            <Section flush>
              <ProviderTable items={items} onOpen={setOpen} />
            </Section>
          )
        }
      </QueryState>
      <ProviderPanel open={open} onOpen={setOpen} test={test} />
    </Page>
  );
}

function ProviderTable({
  items,
  onOpen,
}: {
  items: readonly IdentityProvider[];
  onOpen: (id: string) => void;
}) {
  const { t } = useTranslation('providers');
  const format = useFormat();
  return (
    <PlainTable
      label={t('providers.title')}
      words={6}
      heads={[
        t('providers.name'),
        t('providers.organization'),
        t('providers.state'),
        t('providers.domains'),
        t('providers.certificate_until'),
        t('providers.last'),
      ]}
      rows={items.map((provider) => ({
        key: provider.id,
        cells: [
          <Link
            aria-haspopup="dialog"
            key="name"
            component="button"
            underline="hover"
            onClick={() => onOpen(provider.id)}
          >
            {provider.name}
          </Link>,
          provider.organization ?? t('providers.platform'),
          <StatusBadge
            key="state"
            tone={provider.isActive ? 'success' : 'neutral'}
            label={t(provider.isActive ? 'providers.state_active' : 'providers.state_off')}
          />,
          <Domains key="domains" provider={provider} />,
          provider.kind === 'saml' ? format.dateTable(latestEnd(provider)) : '–',
          <LastState key="last" provider={provider} />,
        ],
      }))}
    />
  );
}

/** The verified domains, and how many await their record. */
function Domains({ provider: { domains } }: { provider: IdentityProvider }) {
  const { t } = useTranslation('providers');
  const format = useFormat();
  const verified = domains.filter(({ verifiedAt }) => verifiedAt !== null).map(({ domain }) => domain);
  const waiting = domains.length - verified.length;
  if (domains.length === 0) return t('providers.none');
  return (
    <Stack sx={{ alignItems: 'flex-start', gap: 0.5 }}>
      {verified.length > 0 && <span>{format.list(verified)}</span>}
      {waiting > 0 && (
        <StatusBadge tone="warning" label={t('providers.domains_waiting', { count: waiting })} />
      )}
    </Stack>
  );
}

/** When the last of a provider's certificates expires: the others may be old ones. */
function latestEnd({ certificates, createdAt }: IdentityProvider): Date {
  return certificates.reduce(
    (latest, { expiresAt }) => (expiresAt > latest ? expiresAt : latest),
    certificates[0]?.expiresAt ?? createdAt,
  );
}

function LastState({ provider: { lastResult } }: { provider: IdentityProvider }) {
  const { t } = useTranslation('providers');
  if (!lastResult) return t('providers.last_none');
  return (
    <StatusBadge
      tone={lastResult.problem === null ? 'success' : 'error'}
      label={t(lastResult.problem === null ? 'providers.last_ok' : 'providers.last_refused')}
    />
  );
}
