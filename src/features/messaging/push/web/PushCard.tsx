// Switches push in this browser on or off, and lists the user's other browsers. Explains before the browser
// asks for permission.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Out } from '#kernel/contract.ts';
import { asError } from '#kernel/errors.ts';
import type { push } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { queryCache, useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { pushApi, pushKey, pushQueries } from './api.ts';
import { DeviceList } from './DeviceList.tsx';
import {
  endpointHere,
  ownPushHindrance,
  ownBrowserKind,
  permissionHere,
  subscribeHere,
  unsubscribeHere,
} from './push-here.ts';

type Registered = Out<typeof push.listPushSubscriptions>;
const here = { queryKey: ['push', 'here'], queryFn: endpointHere };

export function PushCard() {
  const { t } = useTranslation('push');
  return (
    <Section title={t('push.title')} lead={t('push.lead')}>
      <QueryState query={useQuery(pushQueries.listPushSubscriptions())} skeleton={<Lines count={3} />}>
        {(registered) => <Devices registered={registered} />}
      </QueryState>
    </Section>
  );
}

function Devices({ registered }: { registered: Registered }) {
  const { t } = useTranslation('push');
  const { data: endpoint } = useQuery(here);
  const isOn = registered.items.some((device) => device.endpoint === endpoint);
  return (
    <Stack sx={{ gap: 2 }}>
      {isOn && endpoint ? <TurnOff endpoint={endpoint} /> : <TurnOn publicKey={registered.publicKey} />}
      {registered.items.length > 0 && (
        <Box>
          <Typography variant="subtitle2" component="h3">
            {t('push.devices')}
          </Typography>
          <DeviceList items={registered.items} here={endpoint ?? null} />
        </Box>
      )}
    </Stack>
  );
}

/**
 * Everything that depends on this browser's registration is refetched, including the notification channels.
 */
const changed = { invalidates: [pushKey(), ['notifications']] };

function TurnOff({ endpoint }: { endpoint: string }) {
  const { t } = useTranslation('push');
  const remove = useCall(pushApi.removePushSubscription, changed);
  const disable = async () => {
    await remove.mutateAsync({ endpoint });
    await unsubscribeHere();
    toast.success(t('push.turned_off'));
  };
  return (
    <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
      <Alert severity="success" sx={{ flex: '1 1 240px' }}>
        {t('push.is_on')}
      </Alert>
      <Button variant="outlined" loading={remove.isPending} onClick={() => void disable()}>
        {t('push.turn_off')}
      </Button>
    </Stack>
  );
}

function TurnOn({ publicKey }: { publicKey: string }) {
  const { t } = useTranslation('push');
  const [permission, setPermission] = useState(permissionHere);
  const add = useCall(pushApi.addPushSubscription, changed);
  const [failure, setFailure] = useState<string>();
  const [isAsking, setIsAsking] = useState(false);
  const hindrance = ownPushHindrance();
  // used as: 'push.hindrance_*', 'push.allow_*'
  if (hindrance !== undefined) return <Alert severity="info">{t(`push.hindrance_${hindrance}`)}</Alert>;
  if (permission === 'denied')
    return (
      <Alert severity="warning">
        <Box sx={{ fontWeight: 700 }}>{t('push.denied')}</Box>
        {t(`push.allow_${ownBrowserKind()}`)}
      </Alert>
    );
  const enable = async () => {
    setFailure(undefined);
    setIsAsking(true);
    try {
      const subscription = await subscribeHere(publicKey);
      if (subscription) {
        await add.mutateAsync(subscription);
        await queryCache.invalidateQueries({ queryKey: here.queryKey });
        toast.success(t('push.turned_on'));
      }
    } catch (error) {
      setFailure(t('push.failed', { reason: asError(error).message }));
    } finally {
      setPermission(permissionHere());
      setIsAsking(false);
    }
  };
  return (
    <Stack sx={{ gap: 1.5, alignItems: 'flex-start' }}>
      <Typography variant="body2">{t('push.explain')}</Typography>
      {failure !== undefined && (
        <Alert severity="error" role="alert">
          {failure}
        </Alert>
      )}
      <Button variant="contained" loading={isAsking} onClick={() => void enable()}>
        {t('push.turn_on')}
      </Button>
    </Stack>
  );
}
