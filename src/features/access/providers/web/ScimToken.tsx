// The URL and token with which a provider provisions people (SCIM).
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useCall } from '#platform/web/api/queries.ts';
import { FieldGroup } from '#platform/web/form/FieldGroup.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Secret } from '#platform/web/ui/Secret.tsx';
import type { IdentityProvider } from '../contract.ts';
import { providersApi, providersKey } from './api.ts';

export function ScimToken({ provider }: { provider: IdentityProvider }) {
  const { t } = useTranslation('providers');
  const format = useFormat();
  const [token, setToken] = useState<string>();
  const invalidates = [providersKey()];
  const make = useCall(providersApi.makeScimToken, {
    invalidates,
    onSuccess: (made) => setToken(made.token),
    onError: toast.failure,
  });
  const remove = useCall(providersApi.removeScimToken, {
    invalidates,
    onSuccess: () => {
      setToken(undefined);
      toast.success(t('providers.scim_removed'));
    },
    onError: toast.failure,
  });
  const { scimTokenMadeAt: madeAt, scimUsedAt: usedAt } = provider;
  const states = [
    madeAt ? t('providers.scim_made', { date: format.dateTime(madeAt) }) : t('providers.scim_off'),
    ...(madeAt
      ? [usedAt ? t('providers.scim_used', { date: format.dateTime(usedAt) }) : t('providers.scim_unused')]
      : []),
  ];
  return (
    <FieldGroup title={t('providers.scim')} lead={t('providers.scim_hint')}>
      <Stack sx={{ gap: 1.5 }}>
        <Facts
          wide
          items={[
            [
              t('providers.ours_scim'),
              <Secret key="address" text={provider.ours.scimUrl} label={t('providers.ours_scim')} />,
            ],
            ...(token === undefined
              ? []
              : [
                  [
                    t('providers.scim_token'),
                    <Secret key="token" text={token} label={t('providers.scim_token')} />,
                  ] as const,
                ]),
          ]}
        />
        <Typography variant="body2" color="textSecondary">
          {states.join(' · ')}
        </Typography>
        <Stack direction="row" sx={{ gap: 1 }}>
          <Button
            variant="outlined"
            loading={make.isPending}
            onClick={() => make.mutate({ providerId: provider.id })}
          >
            {t(madeAt ? 'providers.scim_rotate' : 'providers.scim_make')}
          </Button>
          {madeAt && (
            <Button
              color="error"
              loading={remove.isPending}
              onClick={() => remove.mutate({ providerId: provider.id })}
            >
              {t('providers.scim_remove')}
            </Button>
          )}
        </Stack>
      </Stack>
    </FieldGroup>
  );
}
