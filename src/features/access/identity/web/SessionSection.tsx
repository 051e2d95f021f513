// The user's own open sessions: one can be ended, or all but this one.
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { identityApi, identityKey, identityQueries } from './api.ts';
import { deviceName } from '../rules-device.ts';
import { SessionList } from './SessionList.tsx';

export function SessionSection() {
  const { t } = useTranslation('identity');
  const [isAsking, setIsAsking] = useState(false);
  const sessions = useQuery(identityQueries.sessions());
  const invalidates = [identityKey('sessions')];
  const end = useCall(identityApi.endSession, {
    invalidates,
    onSuccess: () => toast.success(t('identity.session_ended_done')),
    onError: toast.failure,
  });
  const endOthers = useCall(identityApi.endOtherSessions, {
    invalidates,
    onSuccess: ({ ended }) => toast.success(t('identity.sessions_ended_done', { count: ended })),
  });
  const others = sessions.data?.items.filter((session) => !session.current).length ?? 0;
  return (
    <Section
      title={t('identity.profile_sessions')}
      lead={t('identity.sessions_lead')}
      actions={
        others > 0 && (
          <Button aria-haspopup="dialog" variant="outlined" onClick={() => setIsAsking(true)}>
            {t('identity.sessions_end_others')}
          </Button>
        )
      }
    >
      <QueryState query={sessions}>
        {({ items }) => (
          <SessionList
            items={items}
            actionOf={(session) => (
              <Button
                size="small"
                variant="outlined"
                loading={end.isPending && end.variables.sessionId === session.id}
                aria-label={t('identity.session_end_named', { device: deviceName(session.device) })}
                onClick={() => end.mutate({ sessionId: session.id })}
              >
                {t('identity.session_end')}
              </Button>
            )}
          />
        )}
      </QueryState>
      <ConfirmDialog
        open={isAsking}
        title={t('identity.sessions_end_others_ask')}
        consequences={[t('identity.sessions_end_others_effect', { count: others })]}
        confirmLabel={t('identity.sessions_end_others')}
        tone="danger"
        onConfirm={() => endOthers.mutateAsync({})}
        onClose={() => setIsAsking(false)}
      />
    </Section>
  );
}
