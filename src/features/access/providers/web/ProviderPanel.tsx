// The panel of an identity provider: its last result, the values to enter there, its domains, its people.
import Button from '@mui/material/Button';
import Alert from '@mui/material/Alert';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { required } from '#kernel/assert.ts';
import { isId, type Id } from '#kernel/ids.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { nowMs } from '#platform/web/time/clock.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { RecordPanel } from '#platform/web/ui/RecordPanel.tsx';
import { Secret } from '#platform/web/ui/Secret.tsx';
import { FieldGroup } from '#platform/web/form/FieldGroup.tsx';
import type { IdentityProvider } from '../contract.ts';
import { providersApi, providersKey, providersQueries } from './api.ts';
import { Domains } from './Domains.tsx';
import { ProviderEditor } from './ProviderEditor.tsx';
import { Result } from './Result.tsx';
import { ScimToken } from './ScimToken.tsx';

/** In the URL in place of a provider's id. */
export const newProvider = 'new';

type Test = (provider: IdentityProvider) => ReactNode;

export function ProviderPanel({
  open,
  onOpen,
  test,
}: {
  open: string | undefined;
  onOpen: (provider: string | undefined) => void;
  test: Test;
}) {
  const close = () => onOpen(undefined);
  if (open === newProvider) return <ProviderEditor onClose={close} onSaved={({ id }) => onOpen(id)} />;
  return isId('idp', open) ? <Opened key={open} providerId={open} onClose={close} test={test} /> : null;
}

function Opened({ providerId, onClose, test }: { providerId: Id<'idp'>; onClose: () => void; test: Test }) {
  const { t } = useTranslation('providers');
  const query = useQuery({
    ...providersQueries.listProviders(),
    select: ({ items }) =>
      required(
        items.find(({ id }) => id === providerId),
        'the provider of the address',
      ),
  });
  const remove = useCall(providersApi.deleteProvider, { invalidates: [providersKey()] });
  return (
    <RecordPanel
      query={query}
      title={t('providers.title')}
      editor={(provider, onEnd) => (
        <ProviderEditor key={provider.id} provider={provider} onClose={onEnd} onSaved={onEnd} />
      )}
      deletion={({ name }) => ({
        title: t('providers.delete_title', { name }),
        consequences: [t('providers.delete_hint')],
        confirmLabel: t('providers.delete'),
        onConfirm: async () => {
          await remove.mutateAsync({ providerId });
          toast.success(t('providers.deleted'));
          onClose();
        },
      })}
      onClose={onClose}
    >
      {(provider) => (
        <Stack sx={{ gap: 1 }}>
          <Result provider={provider} />
          {test(provider)}
          <Ours provider={provider} />
          <Domains provider={provider} />
          {provider.kind === 'saml' && <Certificates provider={provider} />}
          <ScimToken provider={provider} />
        </Stack>
      )}
    </RecordPanel>
  );
}

function Ours({ provider: { kind, ours } }: { provider: IdentityProvider }) {
  const { t } = useTranslation('providers');
  const answersTo = t(kind === 'saml' ? 'providers.ours_acs' : 'providers.ours_redirect');
  return (
    <FieldGroup
      title={t('providers.ours')}
      action={
        kind === 'saml' && (
          <Button component="a" href={ours.metadataUrl} download variant="outlined" size="small">
            {t('providers.ours_metadata')}
          </Button>
        )
      }
    >
      <Facts
        wide
        items={[
          ...(kind === 'saml'
            ? [
                [
                  t('providers.ours_entity'),
                  <Secret key="entity" text={ours.entityId} label={t('providers.ours_entity')} />,
                ] as const,
              ]
            : []),
          [answersTo, <Secret key="acs" text={ours.acsUrl} label={answersTo} />],
        ]}
      />
    </FieldGroup>
  );
}

function Certificates({ provider }: { provider: IdentityProvider }) {
  const { t } = useTranslation('providers');
  const format = useFormat();
  return (
    <FieldGroup title={t('providers.certificates')}>
      <Stack sx={{ gap: 1 }}>
        {provider.certificates.map(({ fingerprint, subject, expiresAt }) =>
          expiresAt.getTime() < nowMs() ? (
            <Alert key={fingerprint} severity="error">
              {t('providers.certificate_expired', { date: format.date(expiresAt) })}
            </Alert>
          ) : (
            <Typography key={fingerprint} variant="body2">
              {t('providers.certificate_facts', { subject, date: format.date(expiresAt) })}
            </Typography>
          ),
        )}
      </Stack>
    </FieldGroup>
  );
}
