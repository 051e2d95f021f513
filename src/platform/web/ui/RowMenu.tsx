// The actions for one row, behind a "⋯" button that is always visible.
import MoreHorizOutlined from '~icons/ic/outline-more-horiz';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import { IconAction } from './IconAction.tsx';

export type RowAction = {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly onClick: () => void;
  readonly danger?: boolean;
  /** Whether it opens a dialog, which a button or an entry indicates. */
  readonly opensDialog?: boolean;
  /** Why the action is currently impossible; the entry stays visible and shows the reason. */
  readonly refused?: string | undefined;
};

export function RowMenu({ name, actions }: { name: string; actions: readonly RowAction[] }) {
  const { t } = useTranslation('platform');
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  if (actions.length === 0) return null;
  return (
    <>
      <IconAction
        label={t('table.actions_for', { name })}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreHorizOutlined />
      </IconAction>
      {anchor && (
        <Menu
          anchorEl={anchor}
          open
          onClose={() => setAnchor(null)}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
          transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        >
          {actions.map((action) => (
            <MenuItem
              key={action.label}
              aria-haspopup={action.opensDialog ? 'dialog' : undefined}
              disabled={action.refused !== undefined}
              onClick={() => {
                setAnchor(null);
                action.onClick();
              }}
              sx={
                action.danger
                  ? { color: 'error.main', '& .MuiListItemIcon-root': { color: 'inherit' } }
                  : undefined
              }
            >
              {action.icon !== undefined && <ListItemIcon>{action.icon}</ListItemIcon>}
              <ListItemText
                primary={action.label}
                secondary={action.refused}
                slotProps={{
                  primary: { variant: 'body2' },
                  secondary: { variant: 'caption', sx: { whiteSpace: 'normal' } },
                }}
              />
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  );
}
