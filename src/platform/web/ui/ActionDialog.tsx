// A dialog with one action: its content, the error when the call failed, and the buttons that cancel and act.
import Alert from '@mui/material/Alert';
import Stack from '@mui/material/Stack';
import { ConfirmButtons, type ConfirmButtonsProps } from './ConfirmButtons.tsx';
import { Modal, type ModalProps } from './Modal.tsx';

export type ActionDialogProps = Pick<ModalProps, 'title' | 'width' | 'role' | 'children'> &
  ConfirmButtonsProps & {
    /** Why the call failed. */
    readonly problem?: string | undefined;
    /** Whether the content begins with a field, whose label stands on its border. */
    readonly beginsWithField?: boolean;
  };

/** Cannot be closed while `isBusy`. */
export function ActionDialog({
  title,
  width,
  role,
  problem,
  beginsWithField = false,
  children,
  ...buttons
}: ActionDialogProps) {
  return (
    <Modal
      open
      role={role}
      width={width}
      title={title}
      onClose={buttons.isBusy ? undefined : buttons.onClose}
      actions={<ConfirmButtons {...buttons} />}
    >
      <Stack sx={{ gap: 2, paddingTop: beginsWithField ? 1 : 0 }}>
        {problem !== undefined && <Alert severity="error">{problem}</Alert>}
        {children}
      </Stack>
    </Modal>
  );
}
