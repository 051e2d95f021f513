// A test of one channel to the current user, for other screens: its destination or problem, and the result.
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { Channel } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { notificationsQueries } from './api.ts';
import { ChannelTest } from './ChannelTest.tsx';

export function OwnChannelTest({ channel }: { channel: Channel }) {
  const { t } = useTranslation('notifications');
  const query = useQuery(notificationsQueries.preferences());
  return (
    <QueryState query={query} skeleton={<Lines count={1} />}>
      {({
        channels: {
          [channel]: { to, problem },
        },
      }) => (
        <>
          {/* used as: 'notifications.to_*', 'notifications.no_*', 'notifications.unverified', 'notifications.phone_wrong' */}
          <Typography
            variant="body2"
            sx={{
              marginBottom: 1,
              overflowWrap: 'anywhere',
              color: problem ? 'warning.main' : 'text.secondary',
            }}
          >
            {problem === null
              ? t(`notifications.to_${channel}`, { to: to ?? '' })
              : t(`notifications.${problem}`)}
          </Typography>
          <ChannelTest channel={channel} refused={problem} />
        </>
      )}
    </QueryState>
  );
}
