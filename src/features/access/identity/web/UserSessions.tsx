// A user's open sessions, which an Admin can end.
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { PanelPart } from '#platform/web/ui/PanelPart.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { identityApi, identityKey, identityQueries } from './api.ts';
import { SessionList } from './SessionList.tsx';

export function UserSessions({ user }: { user: User }) {
  const { t } = useTranslation('identity');
  const [isAsking, setIsAsking] = useState(false);
  const sessions = useQuery(identityQueries.userSessions({ userId: user.id }));
  const end = useCall(identityApi.endUserSessions, {
    invalidates: [identityKey('userSessions'), identityKey('sessions')],
    onSuccess: ({ ended }) => toast.success(t('identity.sessions_ended_done', { count: ended })),
  });
  const endOne = useCall(identityApi.endUserSession, {
    invalidates: [identityKey('userSessions')],
    onSuccess: () => toast.success(t('identity.user_session_ended')),
    onError: toast.failure,
  });
  const hasOthers = sessions.data?.items.some((session) => !session.current) ?? false;
  return (
    <PanelPart title={t('identity.user_sessions')}>
      <QueryState query={sessions} skeleton={<Lines count={2} />}>
        {({ items }) =>
          items.length === 0 ? (
            <Typography variant="body2" color="textSecondary">
              {t('identity.user_sessions_none')}
            </Typography>
          ) : (
            <SessionList
              items={items}
              actionOf={(session) => (
                <Button
                  size="small"
                  color="error"
                  disabled={endOne.isPending}
                  onClick={() => endOne.mutate({ userId: user.id, sessionId: session.id })}
                >
                  {t('identity.user_session_end')}
                </Button>
              )}
            />
          )
        }
      </QueryState>
      {hasOthers && (
        <Button
          aria-haspopup="dialog"
          variant="outlined"
          color="error"
          onClick={() => setIsAsking(true)}
          sx={{ marginTop: 1 }}
        >
          {t('identity.user_sessions_end')}
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        title={t('identity.user_sessions_end_ask', { name: user.name })}
        consequences={[t('identity.user_sessions_end_effect')]}
        confirmLabel={t('identity.user_sessions_end')}
        tone="danger"
        onConfirm={() => end.mutateAsync({ userId: user.id })}
        onClose={() => setIsAsking(false)}
      />
    </PanelPart>
  );
}
