// An organization's links that can still be opened and its active sessions, each of which an Admin can end.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Id } from '#kernel/ids.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import type { PortalSession } from '../contract.ts';
import { portalApi, portalKey, portalQueries } from './api.ts';

export function PortalSessions({ organizationId }: { readonly organizationId: Id<'org'> }) {
  const { t } = useTranslation('portal');
  const query = useQuery(portalQueries.listSessions({ organizationId }));
  const [revoking, setRevoking] = useState<PortalSession>();
  const revoke = useCall(portalApi.revokeSession, {
    invalidates: [portalKey('listSessions')],
    onSuccess: () => toast.success(t('portal.revoked')),
  });
  return (
    <Section title={t('portal.sessions_title')} lead={t('portal.sessions_lead')}>
      <QueryState query={query} skeleton={<Lines count={2} />}>
        {({ items }) =>
          items.length === 0 ? (
            <Typography variant="body2" color="textSecondary">
              {t('portal.sessions_none')}
            </Typography>
          ) : (
            <Stack component="ul" sx={{ gap: 1, padding: 0, margin: 0, listStyle: 'none' }}>
              {items.map((session) => (
                <Row key={session.id} session={session} onRevoke={() => setRevoking(session)} />
              ))}
            </Stack>
          )
        }
      </QueryState>
      <ConfirmDialog
        open={revoking !== undefined}
        title={t('portal.revoke_title')}
        consequences={[t('portal.revoke_consequence')]}
        confirmLabel={t('portal.revoke_confirm')}
        onClose={() => setRevoking(undefined)}
        onConfirm={async () => {
          if (revoking) await revoke.mutateAsync({ organizationId, portalLinkId: revoking.id });
        }}
      />
    </Section>
  );
}

function Row({ session, onRevoke }: { readonly session: PortalSession; readonly onRevoke: () => void }) {
  const { t } = useTranslation('portal');
  const format = useFormat();
  const { createdBy, key, actor, pages, mayChange, state, expiresAt } = session;
  const maker = key === null ? createdBy : t('portal.by_key', { by: createdBy, key });
  const opener = actor === '' ? maker : t('portal.for_actor', { by: maker, actor });
  const end = format.dateTime(expiresAt);
  return (
    <Stack
      component="li"
      direction="row"
      sx={{ gap: 2, alignItems: 'center', justifyContent: 'space-between' }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
          {opener}
        </Typography>
        {/* used as: 'portal.page_*', 'portal.state_*' */}
        <Typography variant="caption" component="p" color="textSecondary">
          {[
            t(`portal.state_${state}`),
            t(mayChange ? 'portal.right_change' : 'portal.right_read'),
            format.list(pages.map((page) => t(`portal.page_${page}`))),
            `${t('portal.sessions_ends')} ${end}`,
          ].join(' · ')}
        </Typography>
      </Box>
      <Button
        size="small"
        color="error"
        aria-label={t('portal.revoke_of', { link: `${opener} · ${end}` })}
        onClick={onRevoke}
      >
        {t('portal.revoke')}
      </Button>
    </Stack>
  );
}
