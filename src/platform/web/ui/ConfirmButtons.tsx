// The buttons of a dialog: cancel and the action.
import Button, { type ButtonProps } from '@mui/material/Button';
import { useDismissLabel } from './dismiss-label.ts';

export type ConfirmButtonsProps = Pick<ButtonProps, 'color' | 'disabled'> & {
  readonly confirm: string;
  /** Disables both. */
  readonly isBusy?: boolean;
  /** Whether the button that cancels has the focus at first. */
  readonly isCautious?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
};

export function ConfirmButtons({
  confirm,
  isBusy = false,
  isCautious = false,
  color = 'primary',
  disabled = false,
  onConfirm,
  onClose,
}: ConfirmButtonsProps) {
  const dismiss = useDismissLabel(confirm);
  return (
    <>
      <Button onClick={onClose} disabled={isBusy} autoFocus={isCautious}>
        {dismiss}
      </Button>
      <Button variant="contained" color={color} loading={isBusy} disabled={disabled} onClick={onConfirm}>
        {confirm}
      </Button>
    </>
  );
}
