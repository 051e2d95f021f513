// The user's browsers with push, with the error of the last message that was not delivered.
import Button from '@mui/material/Button';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import Typography from '@mui/material/Typography';
import type { PushDevice } from '../contract.ts';
import { deviceName } from '#features/access/identity/web/parts.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { pushApi, pushKey } from './api.ts';

export function DeviceList({ items, here }: { items: readonly PushDevice[]; here: string | null }) {
  const { t } = useTranslation('push');
  const format = useFormat();
  const remove = useCall(pushApi.removePushSubscription, {
    invalidates: [pushKey(), ['notifications']],
    onSuccess: () => toast.success(t('push.removed')),
  });
  const factsOf = ({ createdAt, lastTriedAt, lastError }: PushDevice): string =>
    [
      t('push.since', { when: format.dateTime(createdAt) }),
      ...(lastTriedAt && lastError === '' ? [t('push.last', { when: format.dateTime(lastTriedAt) })] : []),
    ].join(' · ');
  return (
    <List disablePadding>
      {items.map((device) => (
        <ListItem key={device.id} disableGutters divider sx={{ gap: 1, flexWrap: 'wrap' }}>
          <ListItemText
            primary={
              <>
                {deviceName(device.device)}
                {device.endpoint === here && (
                  <Typography
                    component="span"
                    variant="caption"
                    color="textSecondary"
                  >{` · ${t('push.this_device')}`}</Typography>
                )}
              </>
            }
            title={device.device}
            secondary={
              <>
                {factsOf(device)}
                {device.lastError !== '' && (
                  <Typography
                    component="span"
                    variant="caption"
                    sx={{ display: 'block', color: 'error.main', overflowWrap: 'anywhere' }}
                  >
                    {t('push.last_failed', { reason: device.lastError })}
                  </Typography>
                )}
              </>
            }
            slotProps={{ primary: { variant: 'body2' }, secondary: { variant: 'caption' } }}
          />
          {device.endpoint !== here && (
            <Button
              size="small"
              aria-label={t('push.remove_named', { device: deviceName(device.device) })}
              onClick={() => remove.mutate({ endpoint: device.endpoint })}
            >
              {t('push.remove')}
            </Button>
          )}
        </ListItem>
      ))}
    </List>
  );
}
