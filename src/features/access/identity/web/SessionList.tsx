// Open sessions: device, address, start and last activity.
import DevicesOutlined from '~icons/ic/outline-devices';
import Box from '@mui/material/Box';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import type { ReactNode } from 'react';
import type { Out } from '#kernel/contract.ts';
import type { identity } from '../contract.ts';
import { useNow } from '#platform/web/time/clock.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { deviceName } from '../rules-device.ts';

export type OpenSession = Out<typeof identity.sessions>['items'][number];

/** `actionOf` renders actions for a session other than the current one. */
export function SessionList({
  items,
  actionOf,
}: {
  items: readonly OpenSession[];
  actionOf?: (session: OpenSession) => ReactNode;
}) {
  const { t } = useTranslation('identity');
  const format = useFormat();
  const now = useNow();
  const factsOf = ({ address, lastSeenAt, createdAt }: OpenSession): string =>
    [
      address,
      // The page's clock goes by minutes: what came since its last one has just been.
      t('identity.session_seen', { when: format.relative(lastSeenAt > now ? now : lastSeenAt, now) }),
      t('identity.sessions_since', { when: format.dateTime(createdAt) }),
    ]
      .filter((fact) => fact !== '')
      .join(' · ');
  return (
    <List disablePadding>
      {items.map((session) => (
        <ListItem key={session.id} disableGutters alignItems="flex-start" sx={{ gap: 1 }}>
          <ListItemIcon sx={{ minWidth: 28, marginTop: '6px' }}>
            <DevicesOutlined aria-hidden />
          </ListItemIcon>
          <ListItemText
            primary={deviceName(session.device)}
            title={session.device}
            secondary={<NoWrap text={factsOf(session)} />}
            slotProps={{ primary: { variant: 'body2' }, secondary: { variant: 'caption' } }}
          />
          <Box sx={{ flex: 'none', marginTop: '6px' }}>
            {session.current ? (
              <StatusBadge tone="info" label={t('identity.session_current')} />
            ) : (
              actionOf?.(session)
            )}
          </Box>
        </ListItem>
      ))}
    </List>
  );
}
