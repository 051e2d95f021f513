// The mail domains of a provider: adding, verifying by a TXT record, removing.
import DeleteOutlined from '~icons/ic/outline-delete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState, type FormEvent } from 'react';
import { useCall } from '#platform/web/api/queries.ts';
import { FieldGroup } from '#platform/web/form/FieldGroup.tsx';
import { finished } from '#platform/web/form/problems.ts';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { DnsRecord } from '#platform/web/ui/DnsRecord.tsx';
import { IconAction } from '#platform/web/ui/IconAction.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { IdentityProvider, MailDomain } from '../contract.ts';
import { providersApi, providersKey } from './api.ts';

export function Domains({ provider }: { provider: IdentityProvider }) {
  const { t } = useTranslation('providers');
  return (
    <FieldGroup title={t('providers.domains')} lead={t('providers.domains_hint')}>
      <Stack sx={{ gap: 1.5 }}>
        {provider.domains.map((domain) => (
          <Domain key={domain.id} provider={provider} domain={domain} />
        ))}
        <NewDomain provider={provider} />
      </Stack>
    </FieldGroup>
  );
}

function Domain({ provider, domain }: { provider: IdentityProvider; domain: MailDomain }) {
  const { t } = useTranslation('providers');
  const invalidates = [providersKey()];
  const input = { providerId: provider.id, domainId: domain.id };
  const verify = useCall(providersApi.verifyDomain, {
    invalidates,
    onSuccess: () => toast.success(t('providers.domain_done', { domain: domain.domain })),
  });
  const remove = useCall(providersApi.removeDomain, { invalidates, onError: toast.failure });
  const isVerified = domain.verifiedAt !== null;
  return (
    <Box sx={{ backgroundColor: 'sunken', borderRadius: '5px', padding: '12px' }}>
      <Stack direction="row" sx={{ alignItems: 'center', gap: 1, flexWrap: 'wrap' }}>
        <Typography sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>{domain.domain}</Typography>
        <StatusBadge
          tone={isVerified ? 'success' : 'warning'}
          label={t(isVerified ? 'providers.domain_verified' : 'providers.domain_waiting')}
        />
        <IconAction
          size="small"
          label={t('providers.domain_remove', { domain: domain.domain })}
          onClick={() => remove.mutate(input)}
        >
          <DeleteOutlined fontSize="small" />
        </IconAction>
      </Stack>
      {!isVerified && (
        <DnsRecord
          record={{ name: domain.recordName, value: domain.recordValue }}
          words={{
            lead: t('providers.domain_record'),
            name: t('providers.domain_name'),
            value: t('providers.domain_value'),
            verify: t('providers.domain_verify'),
          }}
          named={{
            name: t('providers.domain_name_of', { domain: domain.domain }),
            value: t('providers.domain_value_of', { domain: domain.domain }),
            verify: t('providers.domain_verify_of', { domain: domain.domain }),
          }}
          problem={verify.error?.message}
          isBusy={verify.isPending}
          onVerify={() => verify.mutate(input)}
        />
      )}
    </Box>
  );
}

function NewDomain({ provider }: { provider: IdentityProvider }) {
  const { t } = useTranslation('providers');
  const [domain, setDomain] = useState('');
  const add = useCall(providersApi.addDomain, {
    invalidates: [providersKey()],
    onSuccess: () => setDomain(''),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (domain.trim() !== '') add.mutate({ providerId: provider.id, domain });
  };
  const { error } = add;
  return (
    <Stack
      component="form"
      noValidate
      onSubmit={submit}
      direction="row"
      sx={{ gap: 1, alignItems: 'flex-start' }}
    >
      <TextBox
        name="domain"
        label={t('providers.domain')}
        value={domain}
        onChange={setDomain}
        autoComplete="off"
        problem={error ? finished(error.message) : undefined}
      />
      <Button type="submit" variant="outlined" loading={add.isPending} sx={{ flexShrink: 0 }}>
        {t('providers.domain_add')}
      </Button>
    </Stack>
  );
}
