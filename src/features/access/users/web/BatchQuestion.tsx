// Confirms a batch, with the exact number of users and the consequences.
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import Typography from '@mui/material/Typography';
import type { BatchAction } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { MailAddress } from '#platform/web/ui/MailAddress.tsx';
import { countOf } from '#platform/web/ui/use-chosen-rows.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { Users } from './batch-form.ts';

/** Nobody would read a longer list of names. */
const maxNames = 50;

export function BatchQuestion({
  action,
  selection,
  onConfirm,
  onClose,
}: {
  action: BatchAction;
  selection: Users;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}) {
  const { t } = useTranslation('users');
  const format = useFormat();
  const count = format.number(countOf(selection));
  const [only] = 'rows' in selection && selection.rows.length === 1 ? selection.rows : [];
  const isGrave = action === 'delete' || action === 'resetPassword' || action === 'deactivate';
  // used as: 'users.ask_*', 'users.effect_*', 'users.button_*'
  return (
    <ConfirmDialog
      open
      title={only ? t(`users.ask_${action}_named`, { name: only.name }) : t(`users.ask_${action}`, { count })}
      consequences={[
        t(`users.effect_${action}`),
        ...(action === 'delete' ? [t('users.effect_delete_names')] : []),
        ...('filter' in selection ? [t('users.effect_not_own')] : []),
      ]}
      confirmLabel={t(`users.button_${action}`, { count })}
      tone={isGrave ? 'danger' : 'primary'}
      proof={action === 'delete' || countOf(selection) > 200 ? 'tick' : 'ask'}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {'rows' in selection && !only && <Names selection={selection} />}
    </ConfirmDialog>
  );
}

function Names({ selection }: { selection: Extract<Users, { rows: unknown }> }) {
  const { t } = useTranslation('users');
  const format = useFormat();
  const more = selection.rows.length - maxNames;
  return (
    <>
      <List
        dense
        disablePadding
        tabIndex={0}
        aria-label={t('users.chosen')}
        sx={{
          maxHeight: 200,
          overflow: 'auto',
          border: '1px solid',
          borderColor: 'divider',
          borderRadius: '5px',
        }}
      >
        {selection.rows.slice(0, maxNames).map((user) => (
          <ListItem key={user.id}>
            <ListItemText
              primary={user.name}
              secondary={<MailAddress text={user.account} />}
              slotProps={{ primary: { variant: 'body2' }, secondary: { variant: 'caption' } }}
            />
          </ListItem>
        ))}
      </List>
      {more > 0 && (
        <Typography variant="caption" color="textSecondary">
          {t('users.and_more', { count: format.number(more) })}
        </Typography>
      )}
    </>
  );
}
