// A dialog with a title, a body and buttons; on phones a sheet at the bottom, within reach of thumbs.
import CloseOutlined from '~icons/ic/outline-close';
import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useId, type ReactNode } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import { IconAction } from './IconAction.tsx';
import { ConnectionLostStatus } from './ConnectionLostStatus.tsx';
import { NoWrap } from './NoWrap.tsx';
import { LeaveForm, alreadyLeft, useFocusReturn, useOpenDialog } from './open-dialogs.ts';

export type ModalProps = {
  readonly open: boolean;
  readonly title: string;
  /**
   * Called for the close button, Escape and a click outside; undefined while an action runs that must not be
   * interrupted.
   */
  readonly onClose?: (() => void) | undefined;
  /** The buttons, the primary one last. */
  readonly actions?: ReactNode;
  readonly width?: 'xs' | 'sm' | 'md';
  /** Whether it fills the screen on phones: for tasks of several steps, without distractions. */
  readonly fillsPhones?: boolean;
  /** 'alertdialog' for decisions that interrupt. */
  readonly role?: 'dialog' | 'alertdialog';
  readonly children: ReactNode;
};

/** The padding at the bottom of a dialog without `actions`, in pixels. */
export const dialogEnd = 20;

const sheet = {
  container: { sx: { alignItems: 'flex-end' } },
  paper: {
    sx: {
      margin: 0,
      width: '100%',
      maxWidth: '100%',
      // The page that it belongs to stays visible above it.
      maxHeight: 'calc(100dvh - 48px)',
      borderRadius: '16px 16px 0 0',
      paddingBottom: 'env(safe-area-inset-bottom)',
    },
  },
} as const;

export function Modal({
  open,
  title,
  onClose,
  actions,
  width = 'sm',
  fillsPhones = false,
  role = 'dialog',
  children,
}: ModalProps) {
  const { t } = useTranslation('platform');
  const heading = useId();
  useOpenDialog(open, onClose);
  useFocusReturn(open);
  const theme = useTheme();
  const isPhone = useMediaQuery(theme.breakpoints.down('sm'));
  return (
    <Dialog
      open={open}
      onClose={onClose}
      fullWidth
      maxWidth={width}
      fullScreen={isPhone && fillsPhones}
      role={role}
      slotProps={isPhone && !fillsPhones ? sheet : {}}
      aria-labelledby={heading}
    >
      <DialogTitle id={heading} component="h2" sx={{ paddingInlineEnd: '56px' }}>
        <NoWrap text={title} />
      </DialogTitle>
      {onClose && (
        <Box sx={{ position: 'absolute', insetInlineEnd: 12, top: 14 }}>
          <IconAction label={t('ui.close')} onClick={onClose}>
            <CloseOutlined />
          </IconAction>
        </Box>
      )}
      {/* A field reached by Tab scrolls to above the sticky buttons. */}
      <DialogContent sx={{ paddingBlock: '8px 0', scrollPaddingBlock: '16px 80px' }}>
        {/* The padding is not on the scroll container itself, because sticky content would stop above it. */}
        <Box sx={{ paddingBottom: actions === undefined ? `${dialogEnd}px` : '8px' }}>
          <LeaveForm value={alreadyLeft}>{children}</LeaveForm>
        </Box>
      </DialogContent>
      <ConnectionLostStatus />
      {actions !== undefined && <DialogActions>{actions}</DialogActions>}
    </Dialog>
  );
}
