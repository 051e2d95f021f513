// Deleting a user, and restoring a deleted one, from their panel.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { User } from '#features/identity/contract.ts';
import { useFormat } from '#platform/web/use-format.ts';
import type { Begin } from './batch-form.ts';
import { useUsersTexts } from './texts.ts';

export function PanelActions({ user, begin, onClose }: { user: User; begin: Begin; onClose: () => void }) {
  const t = useUsersTexts();
  const format = useFormat();
  const start = (action: 'delete' | 'restore'): void => {
    onClose();
    begin(action, { users: [user] });
  };
  if (user.status !== 'deleted') return <Box><Button variant="outlined" color="error" onClick={() => start('delete')}>{t('users.delete_one')}</Button></Box>;
  return (
    <Alert severity="warning" action={user.erasedAfter && <Button size="small" color="inherit" onClick={() => start('restore')}>{t('users.restore')}</Button>}>
      {user.erasedAfter ? t('users.deleted_until', { when: format.dateTime(user.erasedAfter) }) : t('users.deleted_for_good')}
    </Alert>
  );
}
