// An Admin resets a user's password: creates a link that is shown once, to be handed over.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { Out } from '#kernel/contract.ts';
import type { User } from '#features/access/identity/contract.ts';
import type { signin } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Secret } from '#platform/web/ui/Secret.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { signinApi } from './api.ts';

/** `mails`: whether the server also mails the link to the user. */
export function UserReset({ user, mails }: { user: User; mails: boolean }) {
  const { t } = useTranslation('signin');
  const format = useFormat();
  const [isAsking, setIsAsking] = useState(false);
  const [made, setMade] = useState<Out<typeof signin.resetForUser>>();
  const reset = useCall(signinApi.resetForUser);
  return (
    <Box component="section" sx={{ display: 'grid', gap: 1, justifyItems: 'start' }}>
      <Typography variant="h3">{t('signin.admin_reset_title')}</Typography>
      <Typography variant="body2" color="textSecondary">
        {t('signin.admin_reset_lead')}
      </Typography>
      {made ? (
        <Box sx={{ width: '100%', display: 'grid', gap: 1 }}>
          <Alert severity="success" role="status">
            {t('signin.admin_reset_made', { when: format.dateTime(made.expiresAt) })}
          </Alert>
          <Secret text={made.link} label={t('signin.admin_reset_copy')} />
        </Box>
      ) : (
        <>
          <Button
            aria-haspopup="dialog"
            variant="outlined"
            disabled={user.status !== 'active'}
            onClick={() => setIsAsking(true)}
          >
            {t('signin.admin_reset')}
          </Button>
          {user.status !== 'active' && (
            <Typography variant="caption" color="textSecondary">
              {t('signin.admin_reset_inactive')}
            </Typography>
          )}
        </>
      )}
      <ConfirmDialog
        open={isAsking}
        title={t('signin.admin_reset_ask', { name: user.name })}
        consequences={[
          t('signin.admin_reset_ends'),
          t('signin.admin_reset_old'),
          ...(mails ? [t('signin.admin_reset_mails', { account: user.account })] : []),
        ]}
        confirmLabel={t('signin.admin_reset')}
        onConfirm={async () => setMade(await reset.mutateAsync({ userId: user.id }))}
        onClose={() => setIsAsking(false)}
      />
    </Box>
  );
}
