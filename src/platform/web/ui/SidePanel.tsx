// A panel from the right for details and forms, while the list stays visible; fills the screen on phones.
import CloseOutlined from '~icons/ic/outline-close';
import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, useState, type ReactNode } from 'react';
import { useLeaveGuard } from '../form/UnsavedBar.tsx';
import { useTranslation } from '../i18n/i18n.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { labelWidth } from './Facts.tsx';
import { IconAction } from './IconAction.tsx';
import { ConnectionLostStatus } from './ConnectionLostStatus.tsx';
import { NoWrap } from './NoWrap.tsx';
import { LeaveForm } from './open-dialogs.ts';
import { IsInPanel } from './Section.tsx';

export type SidePanelProps = {
  readonly open: boolean;
  readonly title: string;
  readonly onClose: () => void;
  /** Whether it has unsaved changes; closing then asks first. */
  readonly unsaved?: boolean;
  /** Stays at the bottom while the body scrolls. */
  readonly footer?: ReactNode;
  /** Width in pixels, for windows of 600 px and more. */
  readonly width?: number;
  readonly children: ReactNode;
};

export function SidePanel({
  open,
  title,
  onClose: close,
  unsaved = false,
  footer,
  width = 480,
  children,
}: SidePanelProps) {
  const { t } = useTranslation('platform');
  const heading = useId();
  const [isAsking, setIsAsking] = useState(false);
  useLeaveGuard(unsaved, t('ui.unsaved'));
  const onClose = () => (unsaved ? setIsAsking(true) : close());
  return (
    <Drawer
      anchor="right"
      open={open}
      onClose={onClose}
      sx={{ zIndex: 'modal' }}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-modal': true,
          'aria-labelledby': heading,
          sx: { width: { xs: '100%', sm: width }, maxWidth: '100%' },
        },
      }}
    >
      <Stack
        direction="row"
        sx={{
          alignItems: 'center',
          gap: 1,
          padding: { xs: '12px 12px 12px 16px', sm: '12px 12px 12px 24px' },
          borderBottom: '1px solid',
          borderColor: 'divider',
        }}
      >
        <Typography id={heading} variant="h2" sx={{ flex: 1, minWidth: 0 }}>
          <NoWrap text={title} />
        </Typography>
        <IconAction label={t('ui.close')} onClick={onClose}>
          <CloseOutlined />
        </IconAction>
      </Stack>
      {/* Positioned, so that hidden texts for screen readers stay within the scroll container. */}
      <Box
        sx={{
          position: 'relative',
          flex: 1,
          overflow: 'auto',
          padding: { xs: '16px', sm: '24px' },
          [labelWidth]: '144px',
        }}
      >
        <LeaveForm value={close}>
          <IsInPanel value>{children}</IsInPanel>
        </LeaveForm>
      </Box>
      <ConnectionLostStatus />
      {footer !== undefined && (
        <Stack
          direction="row"
          sx={{
            gap: 1,
            flexWrap: 'wrap',
            justifyContent: 'flex-end',
            padding: { xs: '12px 16px', sm: '12px 24px' },
            borderTop: '1px solid',
            borderColor: 'divider',
          }}
        >
          {footer}
        </Stack>
      )}
      <ConfirmDialog
        open={isAsking}
        title={t('ui.unsaved')}
        confirmLabel={t('ui.discard')}
        tone="danger"
        onConfirm={close}
        onClose={() => setIsAsking(false)}
      >
        {t('ui.unsaved_lost')}
      </ConfirmDialog>
    </Drawer>
  );
}
