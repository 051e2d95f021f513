// Viewing as a user, deleting them, and restoring a deleted one, from their panel.
import VisibilityOutlined from '~icons/ic/outline-visibility';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import type { User } from '#features/access/identity/contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { Begin } from './batch-form.ts';
import { ViewAsDialog } from './ViewAsDialog.tsx';

export function PanelActions({
  user,
  begin,
  landing,
  onClose,
}: {
  user: User;
  begin: Begin;
  landing: string;
  onClose: () => void;
}) {
  const [isAsking, setIsAsking] = useState(false);
  const { t } = useTranslation('users');
  const format = useFormat();
  if (user.status !== 'deleted')
    return (
      <>
        {user.role !== 'Admin' && user.status === 'active' && (
          <Box>
            <Button
              aria-haspopup="dialog"
              variant="outlined"
              startIcon={<VisibilityOutlined />}
              onClick={() => setIsAsking(true)}
            >
              {t('users.view')}
            </Button>
          </Box>
        )}
        {isAsking && <ViewAsDialog user={user} landing={landing} onClose={() => setIsAsking(false)} />}
      </>
    );
  return (
    <Alert
      severity="warning"
      action={
        user.erasedAfter && (
          <Button
            size="small"
            color="inherit"
            onClick={() => {
              onClose();
              begin('restore', { rows: [user] });
            }}
          >
            {t('users.restore')}
          </Button>
        )
      }
    >
      {user.erasedAfter
        ? t('users.deleted_until', { when: format.dateTime(user.erasedAfter) })
        : t('users.deleted_for_good')}
    </Alert>
  );
}

/** Ends the panel: nothing stands below what cannot be undone. */
export function DeleteUser({ user, begin, onClose }: { user: User; begin: Begin; onClose: () => void }) {
  const { t } = useTranslation('users');
  return (
    <Box>
      <Button
        aria-haspopup="dialog"
        variant="outlined"
        color="error"
        onClick={() => {
          onClose();
          begin('delete', { rows: [user] });
        }}
      >
        {t('users.delete_one')}
      </Button>
    </Box>
  );
}
