// An Admin removes the second factors of a user who lost them.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { User } from '#features/access/identity/contract.ts';
import { identityKey } from '#features/access/identity/web/parts.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { signinApi } from './api.ts';

/** Renders nothing for a user without second factors, and for the Admin's own, which are in the profile. */
export function UserFactors({ user }: { user: User }) {
  const { t } = useTranslation('signin');
  const ownId = useAuthStore((auth) => auth.user?.id);
  const [isAsking, setIsAsking] = useState(false);
  const remove = useCall(signinApi.removeFactors, {
    invalidates: [identityKey('getUser'), identityKey('listUsers'), identityKey('userSessions')],
  });
  if (!user.twoFactor || user.id === ownId) return null;
  const { id: userId, name } = user;
  const confirm = async (): Promise<void> => {
    await remove.mutateAsync({ userId });
    toast.success(t('signin.remove_factors_done', { name }));
  };
  return (
    <Box component="section" sx={{ display: 'grid', gap: 1, justifyItems: 'start' }}>
      <Typography variant="h3">{t('signin.remove_factors_title')}</Typography>
      <Typography variant="body2" color="textSecondary">
        {t('signin.remove_factors_lead')}
      </Typography>
      <Button aria-haspopup="dialog" variant="outlined" color="error" onClick={() => setIsAsking(true)}>
        {t('signin.remove_factors')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={t('signin.remove_factors_ask', { name })}
        consequences={[t('signin.remove_factors_all'), t('signin.remove_factors_told')]}
        confirmLabel={t('signin.remove_factors')}
        tone="danger"
        onConfirm={confirm}
        onClose={() => setIsAsking(false)}
      />
    </Box>
  );
}
