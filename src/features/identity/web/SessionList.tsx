// The own open sessions, each of which can be ended.
import DevicesOutlined from '@mui/icons-material/DevicesOutlined';
import Button from '@mui/material/Button';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import { useQuery } from '@tanstack/react-query';
import { useNow } from '#platform/web/clock.ts';
import { useCall } from '#platform/web/queries.ts';
import { toast } from '#platform/web/toasts.ts';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/use-format.ts';
import { deviceName } from './device-name.ts';
import { identityApi, identityKey, identityQueries } from './api.ts';
import { useIdentityTexts } from './texts.ts';

export function SessionList() {
  const t = useIdentityTexts();
  const format = useFormat();
  const now = useNow();
  const sessions = useQuery(identityQueries.sessions());
  const end = useCall(identityApi.endSession, { invalidates: [identityKey('sessions')], onSuccess: () => toast.success(t('identity.session_ended_done')), onError: toast.failure });
  return (
    <QueryState query={sessions}>
      {({ items }) => (
        <List disablePadding>
          {items.map((session) => (
            <ListItem
              key={session.id}
              disableGutters
              alignItems="flex-start"
              secondaryAction={
                session.current
                  ? <StatusBadge tone="info" label={t('identity.session_current')} />
                  : <Button size="small" variant="outlined" loading={end.isPending && end.variables.sessionId === session.id} aria-label={t('identity.session_end_named', { device: deviceName(session.device) })} onClick={() => end.mutate({ sessionId: session.id })}>{t('identity.session_end')}</Button>
              }
              sx={{ '& .MuiListItemSecondaryAction-root': { insetInlineEnd: 0 }, paddingInlineEnd: '96px' }}
            >
              <ListItemIcon sx={{ minWidth: 36, marginTop: '6px' }}><DevicesOutlined aria-hidden /></ListItemIcon>
              <ListItemText primary={deviceName(session.device)} title={session.device} secondary={`${session.address} · ${t('identity.session_seen', { when: format.relative(session.lastSeenAt, now) })}`} slotProps={{ primary: { variant: 'body2' }, secondary: { variant: 'caption' } }} />
            </ListItem>
          ))}
        </List>
      )}
    </QueryState>
  );
}
