// The deliveries of a notification: when each was sent, until when it waits, or its error message.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { Delivery } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';

export function Deliveries({ deliveries }: { deliveries: readonly Delivery[] }) {
  const { t } = useTranslation('notifications');
  const format = useFormat();
  if (deliveries.length === 0) return null;
  return (
    <Typography variant="caption" component="p" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
      {deliveries.map(({ channel, state, at, reason, isDigest, attempts }, index) => {
        const isBad = state === 'failed' || state === 'retrying';
        const params = {
          at: at ? format.dateTime(at) : '',
          reason: reason ?? '',
          attempts: format.number(attempts),
        };
        return (
          <Box
            component="span"
            key={channel}
            sx={isBad ? { color: state === 'failed' ? 'error.main' : 'warning.main' } : undefined}
          >
            {index > 0 && ' · '}
            {/* used as: 'notifications.channel_*', 'notifications.delivery_*' */}
            <NoWrap
              text={t('notifications.delivery', {
                channel: t(`notifications.channel_${channel}`),
                what: t(
                  `notifications.delivery_${state === 'waiting' && isDigest ? 'digest' : state}`,
                  params,
                ),
              })}
            />
          </Box>
        );
      })}
    </Typography>
  );
}
